import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '#db/schema/accounts.ts'
import { invoices } from '#db/schema/commerce.ts'
import { item, startCheckout, submitPayment } from '#server/billing/subscriptions/test-purchase.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { extractPdfText } from '#server/test/test-pdf.ts'

const ALICE = 'alice@example.com'
const BRUNO = 'bruno@example.com'
const INVOICES = '/users/invoices/'
const { aliceFirst, aliceSecond, aliceLast, brunoPaid, brunoFailed } = SEED.invoices
const pdf = (id: number) => `${INVOICES}${id}/pdf/`
const ids = (body: { id: number }[]) => body.map(({ id }) => id)

test('R-3.80 R-3.83 the invoices of the account are listed newest first', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(BRUNO, 'GET', INVOICES)
  expect(status).toBe(200)
  expect(body).toEqual([
    {
      id: brunoFailed,
      number: 'INV-1012',
      date: '2026-02-27T09:00:00Z',
      amount: 1495,
      balance: 1495,
      currency: 'eur',
      status: 'failed',
      order: null,
    },
    expect.objectContaining({ id: brunoPaid, status: 'paid', balance: 0 }),
  ])
  const alices = (await portal.call(ALICE, 'GET', INVOICES)).body
  expect(ids(alices)).toEqual([aliceLast, aliceSecond, aliceFirst])
  expect(alices[2].order).toBe(SEED.orders.delivered)
  expect((await portal.call('dario@example.com', 'GET', INVOICES)).body).toEqual([])
})

test('invoices with the same date are listed newest first', async () => {
  await using portal = await startPortal()
  const row = { accountId: getPersona('dario').accountId, date: new Date('2026-02-01T00:00:00Z'), currency: 'eur', status: 'open' as const }
  const rows = [901, 903, 902].map((id) => ({ ...row, id, number: `INV-${id}`, amount: 1, balance: 1 }))
  await portal.world.db.write('everything', (tx) => tx.insert(invoices).values(rows))
  expect(ids((await portal.call('dario@example.com', 'GET', INVOICES)).body)).toEqual([903, 902, 901])
})

test('R-3.79 an order leads to its invoice and back, and the invoice PDF names the order', async () => {
  await using portal = await startPortal()
  await submitPayment(
    portal,
    await startCheckout(portal, { items: [item(SEED.devices.oldTracker)], options: [item(SEED.devices.oldTracker, 'eur-care')] }),
  )
  const [bought] = (await portal.call(ALICE, 'GET', '/users/orders/')).body
  const [invoice] = (await portal.call(ALICE, 'GET', INVOICES)).body
  expect(invoice).toMatchObject({ id: bought.invoice, order: bought.reference, amount: 2685, balance: 0, status: 'paid' })
  const text = extractPdfText((await portal.call(ALICE, 'GET', pdf(invoice.id))).raw)
  for (const piece of [invoice.number, bought.reference, '1 year, paid once – Old tracker', '€16.95', 'care – Old tracker', '€26.85'])
    expect(text).toContain(piece)
})

test('the PDF is downloaded under the number of the invoice', async () => {
  await using portal = await startPortal()
  const { status, headers, raw } = await portal.call(ALICE, 'GET', pdf(aliceFirst))
  expect([status, headers['content-type']]).toEqual([200, 'application/pdf'])
  expect(headers['content-disposition']).toContain('attachment; filename="INV-1001.pdf"')
  expect(raw.subarray(0, 5).toString()).toBe('%PDF-')
  const text = extractPdfText(raw)
  for (const piece of ['Whereabouts', 'Alice Almeida', '1 year – Family car', '€14.95', 'Test document']) expect(text).toContain(piece)
})

test('the PDF is in the language of the signed-in user, not of the account owner', async () => {
  await using portal = await startPortal()
  await portal.world.db.write('everything', (tx) => tx.update(users).set({ language: 'ja' }).where(eq(users.email, 'support@example.com')))
  const { raw } = await portal.call('support@example.com', 'GET', pdf(brunoFailed))
  expect(extractPdfText(raw)).toContain('支払いに失敗しました')
  expect(extractPdfText((await portal.call(BRUNO, 'GET', pdf(brunoFailed))).raw)).toContain('Échec du paiement')
})

test('R-6.9 an unknown invoice and one of another account are answered 404', async () => {
  await using portal = await startPortal()
  for (const [email, id] of [
    [ALICE, 999],
    [ALICE, brunoFailed],
    ['admin@pro.example.com', aliceFirst],
  ] as const)
    for (const [method, path, body] of [['GET', pdf(id)] as const, ['POST', `${INVOICES}${id}/pay/`, {}] as const])
      expect(await portal.call(email, method, path, body)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('support reads the invoices of all accounts but pays none; a team member sees none', async () => {
  await using portal = await startPortal()
  const { db } = portal.world
  expect((await portal.call('support@example.com', 'GET', INVOICES)).body).toHaveLength(await db.read.$count(invoices))
  expect((await portal.call('support@example.com', 'GET', pdf(aliceFirst))).status).toBe(200)
  expect((await portal.call('support@example.com', 'POST', `${INVOICES}${brunoFailed}/pay/`, {})).status).toBe(403)
  for (const [method, path] of [
    ['GET', INVOICES],
    ['GET', pdf(aliceFirst)],
    ['POST', `${INVOICES}${aliceFirst}/pay/`],
  ] as const)
    expect(await portal.call('member@pro.example.com', method, path)).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
})
