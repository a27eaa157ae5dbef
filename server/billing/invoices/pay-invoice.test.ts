import { expect, test } from 'vitest'
import { invoices } from '#db/schema/commerce.ts'
import { addCard, CARDS, FAILS_LATER, GOOD } from '#server/billing/payment-methods/test-cards.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
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

test('R-4.26 an expired card pays nothing; a valid one pays the failed invoice, here and at Stripe', async () => {
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

test('a card that is declined when charged leaves the invoice unchanged', async () => {
  await using portal = await startPortal()
  await addCard(portal, BRUNO, FAILS_LATER)
  expect(await pay(portal)).toMatchObject({ status: 409, body: { code: 'payment_failed' } })
  expect(await stateOf(portal)).toEqual(['failed', 1495])
})

test('the default card is charged, even when the account has others', async () => {
  await using portal = await startPortal()
  await addCard(portal, BRUNO, GOOD)
  await portal.call(BRUNO, 'PATCH', `${CARDS}${SEED.cards.brunoExpired}/`, { is_default: true })
  expect((await pay(portal)).body.code).toBe('payment_failed')
})

test('an invoice cannot be paid without a card', async () => {
  await using portal = await startPortal()
  await portal.call(BRUNO, 'DELETE', `${CARDS}${SEED.cards.brunoExpired}/`)
  const hosted_url = 'http://portal.test/mock/stripe/invoice/in_seed_12'
  expect(await pay(portal)).toMatchObject({ status: 409, body: { code: 'no_payment_method', hosted_url } })
  expect(await stateOf(portal)).toEqual(['failed', 1495])
})

test('a paid invoice is not charged again', async () => {
  await using portal = await startPortal()
  expect(await pay(portal, brunoPaid)).toMatchObject({ status: 409, body: { code: 'already_paid' } })
  expect(await pay(portal, aliceFirst, 'alice@example.com')).toMatchObject({ status: 409, body: { code: 'already_paid' } })
})

test('of two simultaneous payments one charges the card and the other is refused', async () => {
  await using portal = await startPortal()
  await addCard(portal, BRUNO, GOOD)
  const answers = await Promise.all([pay(portal), pay(portal)])
  expect(answers.map(({ status, body }) => [status, body.code ?? body.status]).sort()).toEqual([
    [200, 'paid'],
    [409, 'already_paid'],
  ])
  expect((await portal.world.payments.stripe.invoices.retrieve('in_seed_12')).attempt_count).toBe(2)
})

test('an invoice that was paid at Stripe meanwhile is marked as paid after the attempt', async () => {
  await using portal = await startPortal()
  await addCard(portal, BRUNO, GOOD)
  await portal.world.payments.stripe.invoices.pay('in_seed_12')
  expect((await pay(portal)).body.code).toBe('already_paid')
  expect(await stateOf(portal)).toEqual(['paid', 0])
})

test('an open invoice can be paid too', async () => {
  await using portal = await startPortal()
  const { status, body } = await pay(portal, SEED.invoices.ushaOpen, 'usha@example.com')
  expect([status, body]).toMatchObject([200, { status: 'paid', amount: 1723, balance: 0, currency: 'usd' }])
})

test('an invoice that Stripe does not know cannot be charged', async () => {
  await using portal = await startPortal()
  await addCard(portal, BRUNO, GOOD)
  const { accountId } = getPersona('bruno')
  const row = { accountId, date: portal.clock.now(), amount: 5, balance: 5, currency: 'eur', status: 'open' as const }
  await portal.world.db.write('everything', (tx) =>
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
