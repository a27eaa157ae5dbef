import { expect } from 'vitest'
import { invoices, orders, subscriptions } from '#db/schema/commerce.ts'
import type { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

export const ALICE = 'alice@example.com'
export const GOOD = '4242 4242 4242 4242'
export const item = (device: number, price = 'eur-12m-once') => ({ device, price })

export async function startCheckout(portal: Portal, body: object): Promise<string> {
  const { status, body: answer } = await portal.call(ALICE, 'POST', '/users/payment_session/', body)
  expect(status).toBe(200)
  return answer.id
}

export const submitPayment = (portal: Portal, id: string, number = GOOD) =>
  portal.app.inject({
    method: 'POST',
    url: `/mock/stripe/checkout/${id}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ number }).toString(),
  })

export const readSubState = async (portal: Portal, device: number) => {
  const { body } = await portal.call(ALICE, 'GET', `/devices/${device}/`)
  const { sub_state: state, sub_end_date: end } = body.tracker_status
  return [state, end && new Date(end)]
}

export const countRecords = ({ world: { db } }: Portal) =>
  Promise.all([orders, invoices, subscriptions].map((table) => db.read.$count(table)))
