import { expect, test } from 'vitest'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import type { InvoiceRow } from '#server/billing/records/invoices.store.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { extractPdfText } from '#server/test/test-pdf.ts'
import { drawInvoice } from './draw-invoice.ts'
import { presentCreditNoteText, presentInvoiceText, words } from './invoice-text.ts'

const now = new Date('2026-03-02T09:00:00Z')
const owner = { firstName: '春香', lastName: '山田', email: 'haruka@example.com' }
const invoice: InvoiceRow = {
  id: 1,
  accountId: 8,
  number: 'INV-1001',
  date: new Date('2026-02-01T23:30:00Z'),
  amount: 2485,
  balance: 2485,
  currency: 'eur',
  status: 'failed',
  orderReference: 'ORD-1001',
  tax: 432,
  lines: [
    { label: '1 year – ポチ', quantity: 1, unit_amount: 1495 },
    { label: 'care – ポチ', quantity: 2, unit_amount: 495 },
  ],
  providerId: null,
  refunded: 0,
  dispute: null,
}
const paper = (change: Partial<InvoiceRow> = {}, language: (typeof LANGUAGES)[number] = 'en', isLive = true) =>
  presentInvoiceText({ invoice: { ...invoice, ...change }, owner, seller: 'Whereabouts', isLive }, language)

test('R-3.80 R-3.83 the invoice shows number, day, order, seller, buyer, status, lines, tax, total and balance', () => {
  const shown = paper()
  expect(shown.facts.map(({ value }) => value)).toEqual([
    'INV-1001',
    'February 1, 2026',
    'ORD-1001',
    'Whereabouts',
    '春香 山田, haruka@example.com',
    'Payment failed',
  ])
  expect(shown.rows).toEqual([
    ['1 year – ポチ', '1', '€14.95', '€14.95'],
    ['care – ポチ', '2', '€4.95', '€9.90'],
  ])
  expect(shown.sums.map(({ label, value }) => [label, value])).toEqual([
    ['Net amount', '€20.53'],
    ['Tax', '€4.32'],
    ['Total', '€24.85'],
    ['Paid', '€0.00'],
    ['Balance due', '€24.85'],
  ])
})

test('a paid invoice has balance 0, and missing tax or order lines are left out', () => {
  const shown = paper({ status: 'paid', balance: 0, tax: null, orderReference: null })
  expect(shown.sums.map(({ value }) => value)).toEqual(['€24.85', '€24.85', '€0.00'])
  expect([shown.facts[2]!.value, shown.facts[5]!.value]).toEqual(['–', 'Paid'])
})

test('an invoice ends with the page on which customers withdraw, if there is one', () => {
  const withdrawUrl = 'https://portal.test/mail/withdraw/?language=de&reference=INV-1001'
  const facts = { invoice, owner, seller: 'Whereabouts', isLive: true, withdrawUrl }
  expect(presentInvoiceText(facts, 'de').foot).toBe(`Vertrag widerrufen: ${withdrawUrl}`)
  expect(paper().foot).toBeNull()
})

test.each([
  ['de', 'usd', '24,85\u00a0$'],
  ['en', 'gbp', '£24.85'],
  ['fr', 'eur', '24,85\u00a0€'],
  ['ja', 'eur', '€24.85'],
  ['ja', 'jpy', '￥2,485'],
  ['cs', 'czk', '24,85\u00a0Kč'],
  ['hu', 'huf', '25\u00a0Ft'],
] as const)('R-3.63 in %s an amount is formatted as %s', (language, currency, total) => {
  expect(paper({ currency }, language).sums.at(-1)!.value).toBe(total)
})

test('a credit note names its invoice and splits the amount into net and tax', () => {
  const note = {
    ...{ id: 1, accountId: 8, number: 'CN-1001', invoiceNumber: 'INV-1001', date: now, amount: 1190, tax: 190, currency: 'eur' },
  }
  const shown = presentCreditNoteText(
    { note: { ...note, reason: 'refund', providerId: 're_1', voidedAt: null }, owner, seller: 'Whereabouts', isLive: true },
    'en',
  )
  expect(shown.facts.map(({ value }) => value).slice(0, 3)).toEqual(['CN-1001', 'March 2, 2026', 'INV-1001'])
  expect(shown.sums.map(({ label, value }) => [label, value])).toEqual([
    ['Net amount', '€10.00'],
    ['Tax', '€1.90'],
    ['Amount credited', '€11.90'],
  ])
})

test('the family name comes first in languages that write it first', () => {
  expect(paper({}, 'ja').facts[4]!.value).toBe('山田 春香, haruka@example.com')
})

test('an invoice of test mode says that nobody was charged', () => {
  expect(paper({}, 'en', false).note).toContain('Test document')
  expect(paper({}, 'en', true).note).toBeNull()
})

test('R-1.23 every word of the PDF can be extracted in every language', async () => {
  const failures = await collectFailures(LANGUAGES, String, async (language) => {
    const shown = paper({}, language, false)
    const text = extractPdfText(await drawInvoice(shown, now))
    const texts = words[language]
    const expected = [
      texts.title,
      texts.number,
      texts.billedTo,
      texts.statuses.failed,
      ...shown.columns,
      ...shown.rows.flat(),
      ...shown.sums.flatMap(Object.values),
    ]
    for (const piece of expected) expect(text).toContain(piece)
    expect(text).not.toContain('�')
  })
  expect(failures).toEqual([])
})

test('an invoice with many lines draws all of them over several pages', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => ({
    label: `Line ${index} – ${'very '.repeat(14)}long`,
    quantity: 1,
    unit_amount: index,
  }))
  const text = extractPdfText(await drawInvoice(paper({ lines }), now))
  for (const { label } of lines) expect(text.replace(/\s/g, '')).toContain(label.replace(/\s/g, ''))
  expect(text.split('\f').length).toBeGreaterThan(2)
})
