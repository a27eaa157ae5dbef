import { expect, test } from 'vitest'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { getWords } from './page-parts.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const PAGE = '/mock/stripe/invoice/in_seed_12'
const REAL_LOOKING = '4111 1111 1111 1111'
const fr = getWords('fr')

const visit = ({ app }: Portal, url = PAGE) => app.inject({ method: 'GET', url })
const send = ({ app }: Portal, form: Record<string, string>, url = PAGE) =>
  app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  })
const type = (portal: Portal, number: string, expiry = '12 / 34') => send(portal, { number, expiry, cvc: '123' })
const ofBruno = async (portal: Portal) => {
  const [newest] = (await portal.call('bruno@example.com', 'GET', '/users/invoices/')).body
  return [newest.status, newest.balance]
}
const atProvider = ({ world }: Portal) => world.payments.stripe.invoices.retrieve('in_seed_12')

test('the invoice page shows that it is a test, the lines, the balance and a link back to the portal', async () => {
  await using portal = await startPortal()
  const { statusCode, headers, body } = await visit(portal)
  expect(statusCode).toBe(200)
  for (const text of ['<html lang="fr">', fr.banner, fr.invoice.once, '1 year – Camionnette', 'href="http://portal.test/invoices"'])
    expect(body).toContain(text)
  expect(body).toMatch(new RegExp(`${fr.invoice.balance}</th><td>14,95\\s€`))
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-security-policy': expect.stringContaining("default-src 'none'") })
})

test('a refused card leaves the invoice open and counts as an attempt; an unknown or expired card does not, and its number is not shown', async () => {
  await using portal = await startPortal()
  const tries = async () => (await atProvider(portal)).attempt_count
  const before = await tries()
  for (const [number, expiry, fault] of [
    [REAL_LOOKING, '12 / 34', 'unknown_card'],
    ['4242 4242 4242 4242', '02 / 26', 'expired_card'],
  ] as const) {
    const { statusCode, body } = await type(portal, number, expiry)
    expect([statusCode, body.includes(fr.fault[fault]), body.includes(REAL_LOOKING)]).toEqual([402, true, false])
  }
  expect(await tries()).toBe(before)
  expect((await type(portal, '4000 0000 0000 9995')).body).toContain(fr.fault.insufficient_funds)
  expect([await tries(), await ofBruno(portal)]).toEqual([before + 1, ['failed', 1495]])
})

test('R-4.26 a payment confirmed by the bank reaches the portal, and the page then accepts no other card', async () => {
  await using portal = await startPortal()
  const answer = (yes: boolean) => send(portal, { answer: yes ? 'yes' : 'no' }, `${PAGE}/confirm`)
  const asked = await type(portal, '4000 0027 6000 3184')
  expect([asked.statusCode, asked.headers.location]).toEqual([303, `${PAGE}/confirm`])
  expect((await visit(portal, `${PAGE}/confirm`)).body).toContain(fr.challenge.text)
  expect((await answer(false)).body).toContain(fr.fault.authentication_failed)
  await type(portal, '4000 0084 0000 1629')
  expect((await answer(true)).body).toContain(fr.fault.declined)
  await type(portal, '4000 0027 6000 3184')
  expect((await answer(true)).headers.location).toBe(PAGE)
  expect(await ofBruno(portal)).toEqual(['paid', 0])
  const { body } = await visit(portal)
  expect([body.includes(fr.invoice.paid), body.includes('<form')]).toEqual([true, false])
  expect((await type(portal, '4242 4242 4242 4242')).headers.location).toBe(PAGE)
  expect(await atProvider(portal)).toMatchObject({ status: 'paid', amount_paid: 1495 })
  expect((await portal.call('bruno@example.com', 'GET', '/users/payment_methods/')).body).toHaveLength(1)
})

test('a void invoice says so and an unknown invoice is answered with 404', async () => {
  await using portal = await startPortal()
  await portal.world.payments.stripe.invoices.voidInvoice('in_seed_12')
  expect((await visit(portal)).body).toContain(fr.invoice.void)
  expect((await type(portal, '4242 4242 4242 4242')).headers.location).toBe(PAGE)
  expect(await atProvider(portal)).toMatchObject({ status: 'void', amount_paid: 0 })
  expect((await visit(portal, '/mock/stripe/invoice/in_unknown')).statusCode).toBe(404)
})

test('the invoice page uses the language of its customer, or English when that is not supported', async () => {
  await using portal = await startPortal()
  const customer = String((await atProvider(portal)).customer)
  for (const language of [...LANGUAGES, 'tlh']) {
    await portal.world.payments.stripe.customers.update(customer, { preferred_locales: [language] })
    const spoken = LANGUAGES.find((each) => each === language) ?? 'en'
    const { body } = await visit(portal)
    expect(body).toContain(`<html lang="${spoken}">`)
    expect(body).toContain(getWords(spoken).invoice.once)
  }
})
