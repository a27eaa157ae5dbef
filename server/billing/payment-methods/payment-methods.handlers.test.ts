import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { addCard, CARDS, fetchCards, GOOD } from './test-cards.ts'

const ALICE = 'alice@example.com'
const BRUNO = 'bruno@example.com'
const { visa, mastercard, brunoExpired } = SEED.cards

test('R-3.81 the cards of the account are listed, the default first, never with a full number', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'GET', CARDS)
  expect(status).toBe(200)
  expect(body).toEqual([
    { id: visa, type: 'card', brand: 'visa', last4: '4242', exp_month: 5, exp_year: 2028, is_default: true },
    { id: mastercard, type: 'card', brand: 'mastercard', last4: '4444', exp_month: 8, exp_year: 2027, is_default: false },
  ])
  expect((await portal.call('dario@example.com', 'GET', CARDS)).body).toEqual([])
})

test('making a card the default changes it here and at Stripe, and no other card', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'PATCH', `${CARDS}${mastercard}/`, { is_default: true })
  expect([status, body]).toMatchObject([200, { id: mastercard, is_default: true }])
  expect((await fetchCards(portal, ALICE)).map(({ id, is_default }) => [id, is_default])).toEqual([
    [mastercard, true],
    [visa, false],
  ])
  const customer = await portal.world.payments.stripe.customers.retrieve('cus_seed_alice')
  expect(customer).toMatchObject({ invoice_settings: { default_payment_method: mastercard } })
})

test('the new default card also pays subscriptions that were bought with another card', async () => {
  await using portal = await startPortal()
  const { stripe } = portal.world.payments
  const paidBy = async () =>
    (await stripe.subscriptions.list({ customer: 'cus_seed_alice' })).data.map(({ default_payment_method }) => default_payment_method)
  const [first] = (await stripe.subscriptions.list({ customer: 'cus_seed_alice' })).data
  await stripe.subscriptions.update(first!.id, { default_payment_method: visa })
  await portal.call(ALICE, 'PATCH', `${CARDS}${mastercard}/`, { is_default: true })
  expect(new Set(await paidBy())).toEqual(new Set([mastercard, null]))
})

test('of two cards made the default at once, exactly one becomes it', async () => {
  await using portal = await startPortal()
  const answers = await Promise.all([visa, mastercard].map((id) => portal.call(ALICE, 'PATCH', `${CARDS}${id}/`, { is_default: true })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const cards = await fetchCards(portal, ALICE)
  expect(cards.filter(({ is_default }) => is_default)).toHaveLength(1)
  const customer = await portal.world.payments.stripe.customers.retrieve('cus_seed_alice')
  expect(customer).toMatchObject({ invoice_settings: { default_payment_method: cards[0]!.id } })
})

test('making a card the default refuses any body other than is_default: true', async () => {
  await using portal = await startPortal()
  const bodies = [{ is_default: false }, { is_default: 'yes' }, {}]
  const failures = await collectFailures(bodies, JSON.stringify, async (change) => {
    const { status, body } = await portal.call(ALICE, 'PATCH', `${CARDS}${mastercard}/`, change)
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', ['is_default']])
  })
  expect(failures).toEqual([])
})

test('a removed card is deleted here and at Stripe, and a second removal returns 404', async () => {
  await using portal = await startPortal()
  const remove = () => portal.call(ALICE, 'DELETE', `${CARDS}${mastercard}/`)
  const answers = await Promise.all([remove(), remove()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  expect(answers.find(({ status }) => status === 200)!.body).toEqual({ id: mastercard })
  expect((await fetchCards(portal, ALICE)).map(({ id }) => id)).toEqual([visa])
  expect((await portal.world.payments.stripe.paymentMethods.retrieve(mastercard)).customer).toBeNull()
})

test('the default card cannot be removed while a subscription renews', async () => {
  await using portal = await startPortal()
  const refused = await portal.call(ALICE, 'DELETE', `${CARDS}${visa}/`)
  expect([refused.status, refused.body.code]).toEqual([409, 'in_use'])
  await portal.call(ALICE, 'PATCH', `${CARDS}${mastercard}/`, { is_default: true })
  expect((await portal.call(ALICE, 'DELETE', `${CARDS}${visa}/`)).status).toBe(200)
})

test('the default card can be removed when nothing renews, and the newest other card replaces it', async () => {
  await using portal = await startPortal()
  expect((await portal.call(BRUNO, 'DELETE', `${CARDS}${brunoExpired}/`)).status).toBe(200)
  expect(await fetchCards(portal, BRUNO)).toEqual([])
  for (let cards = 0; cards < 3; cards++) {
    expect(await addCard(portal, BRUNO, GOOD)).toBe(303)
    portal.clock.set({ at: new Date(portal.clock.now().getTime() + 60_000) })
  }
  const [standard, ...others] = await fetchCards(portal, BRUNO)
  expect((await portal.call(BRUNO, 'DELETE', `${CARDS}${standard!.id}/`)).status).toBe(200)
  const left = await fetchCards(portal, BRUNO)
  expect(left.map(({ is_default }) => is_default)).toEqual([true, false])
  expect(others.map(({ id }) => id)).toContain(left[0]!.id)
})

test('the default card can be removed once the subscription has ended', async () => {
  await using portal = await startPortal({ at: new Date('2030-03-02T09:00:00Z') })
  expect((await portal.call(ALICE, 'DELETE', `${CARDS}${visa}/`)).status).toBe(200)
})

test('R-6.9 a card of another account is answered 404 and stays', async () => {
  await using portal = await startPortal()
  for (const email of [BRUNO, 'dario@example.com', 'admin@pro.example.com'])
    for (const [method, body] of [['PATCH', { is_default: true }], ['DELETE']] as const)
      expect(await portal.call(email, method, `${CARDS}${mastercard}/`, body)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await fetchCards(portal, ALICE)).toHaveLength(2)
})

test('a card that Stripe has deleted is answered 404 and no longer listed', async () => {
  await using portal = await startPortal()
  await portal.world.payments.stripe.paymentMethods.detach(mastercard)
  expect((await portal.call(ALICE, 'PATCH', `${CARDS}${mastercard}/`, { is_default: true })).status).toBe(404)
  expect((await fetchCards(portal, ALICE)).map(({ id }) => id)).toEqual([visa])
})

test('a team member and support cannot use cards', async () => {
  await using portal = await startPortal()
  for (const email of ['member@pro.example.com', 'support@example.com'])
    for (const [method, path, body] of [
      ['GET', CARDS],
      ['PATCH', `${CARDS}${visa}/`, { is_default: true }],
      ['DELETE', `${CARDS}${visa}/`],
    ] as const)
      expect(await portal.call(email, method, path, body)).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
})
