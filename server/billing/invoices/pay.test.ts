import { expect, test } from 'vitest'
import { invoices } from '#db/schema/commerce.ts'
import { addCard, CARDS, FAILS_LATER, GOOD } from '#server/billing/payment-methods/test-cards.ts'
import { persona } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const BRUNO = 'bruno@example.com'
const { brunoFailed, brunoPaid, aliceFirst } = SEED.invoices
const pay = (portal: Portal, id: number = brunoFailed, email = BRUNO) => portal.call(email, 'POST', `/users/invoices/${id}/pay/`, {})
const stateOf = async (portal: Portal) => {
  const [newest] = (await portal.call(BRUNO, 'GET', '/users/invoices/')).body
  return [newest.status, newest.balance]
}

test('R-4.26 E-80 an expired card pays nothing; a good one pays the failed invoice, here and at the provider', async () => {
  await using portal = await startPortal()
  const hosted_url = 'http://portal.test/mock/stripe/invoice/in_seed_12'
  expect(await pay(portal)).toMatchObject({ status: 409, body: { code: 'payment_failed', hosted_url } })
  expect(await stateOf(portal)).toEqual(['failed', 1495])
  await addCard(portal, BRUNO, GOOD)
  expect(await pay(portal)).toMatchObject({ status: 200, body: { id: brunoFailed, status: 'paid', amount: 1495, balance: 0 } })
  expect(await stateOf(portal)).toEqual(['paid', 0])
  const { stripe } = portal.world.payments
  expect(await stripe.invoices.retrieve('in_seed_12')).toMatchObject({ status: 'paid', amount_remaining: 0, attempt_count: 3 })
})

test('E-80 a card that is declined when it is charged leaves the invoice as it is', async () => {
  await using portal = await startPortal()
  await addCard(portal, BRUNO, FAILS_LATER)
  expect(await pay(portal)).toMatchObject({ status: 409, body: { code: 'payment_failed' } })
  expect(await stateOf(portal)).toEqual(['failed', 1495])
})

test('E-80 the default card is charged, whichever others there are', async () => {
  await using portal = await startPortal()
  await addCard(portal, BRUNO, GOOD)
  await portal.call(BRUNO, 'PATCH', `${CARDS}${SEED.cards.brunoExpired}/`, { is_default: true })
  expect((await pay(portal)).body.code).toBe('payment_failed')
})

test('E-80 without a card there is nothing to pay with', async () => {
  await using portal = await startPortal()
  await portal.call(BRUNO, 'DELETE', `${CARDS}${SEED.cards.brunoExpired}/`)
  const hosted_url = 'http://portal.test/mock/stripe/invoice/in_seed_12'
  expect(await pay(portal)).toMatchObject({ status: 409, body: { code: 'no_payment_method', hosted_url } })
  expect(await stateOf(portal)).toEqual(['failed', 1495])
})

test('E-80 what is paid is not paid again', async () => {
  await using portal = await startPortal()
  expect(await pay(portal, brunoPaid)).toMatchObject({ status: 409, body: { code: 'already_paid' } })
  expect(await pay(portal, aliceFirst, 'alice@example.com')).toMatchObject({ status: 409, body: { code: 'already_paid' } })
})

test('E-80 of two payments at once one charges the card, the other is told', async () => {
  await using portal = await startPortal()
  await addCard(portal, BRUNO, GOOD)
  const answers = await Promise.all([pay(portal), pay(portal)])
  expect(answers.map(({ status, body }) => [status, body.code ?? body.status]).sort()).toEqual([
    [200, 'paid'],
    [409, 'already_paid'],
  ])
  expect((await portal.world.payments.stripe.invoices.retrieve('in_seed_12')).attempt_count).toBe(2)
})

test('an invoice that was paid at the provider meanwhile is known to be paid after the try', async () => {
  await using portal = await startPortal()
  await addCard(portal, BRUNO, GOOD)
  await portal.world.payments.stripe.invoices.pay('in_seed_12')
  expect((await pay(portal)).body.code).toBe('already_paid')
  expect(await stateOf(portal)).toEqual(['paid', 0])
})

test('E-80 an open invoice can be paid too', async () => {
  await using portal = await startPortal()
  const { status, body } = await pay(portal, SEED.invoices.ushaOpen, 'usha@example.com')
  expect([status, body]).toMatchObject([200, { status: 'paid', amount: 1723, balance: 0, currency: 'usd' }])
})

test('an invoice that the provider does not hold cannot be charged', async () => {
  await using portal = await startPortal()
  await addCard(portal, BRUNO, GOOD)
  const { accountId } = persona('bruno')
  const row = { accountId, date: portal.clock.now(), amount: 5, balance: 5, currency: 'eur', status: 'open' as const }
  await portal.world.db.write((tx) =>
    tx.insert(invoices).values([
      { ...row, id: 901, number: 'INV-901', providerId: null },
      { ...row, id: 902, number: 'INV-902', providerId: 'in_unknown' },
    ]),
  )
  for (const id of [901, 902])
    expect(await pay(portal, id)).toEqual(
      expect.objectContaining({ status: 409, body: { code: 'payment_failed', detail: 'payment failed' } }),
    )
})
