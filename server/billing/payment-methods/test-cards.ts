import type { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

export const GOOD = '4242 4242 4242 4242'
export const FAILS_LATER = '4000 0000 0000 0341'
export const CARDS = '/users/payment_methods/'

export const fetchCards = async (portal: Portal, email: string) =>
  (await portal.call(email, 'GET', CARDS)).body as { id: string; brand: string; last4: string; is_default: boolean }[]

/** Enters a card in Stripe's billing portal, like its owner. */
export async function addCard(portal: Portal, email: string, number: string, expiry = '12 / 34') {
  const { body } = await portal.call(email, 'POST', '/users/portal/', { return_path: '/payment_methods' })
  const answer = await portal.app.inject({
    method: 'POST',
    url: new URL(body.url).pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ number, expiry, cvc: '123' }).toString(),
  })
  return answer.statusCode
}
