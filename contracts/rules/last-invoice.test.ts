import { expect, test } from 'vitest'
import type { InvoiceStatus } from '#contracts/lib/constants.ts'
import { failedLastInvoice } from './last-invoice.ts'

const invoice = (date: string, status: InvoiceStatus) => ({ date, status })
const failed = invoice('2026-03-01T00:00:00Z', 'failed')

test('R-4.26 a failed newest invoice is found anywhere in the list', () => {
  expect(failedLastInvoice([invoice('2026-01-01T00:00:00Z', 'paid'), failed, invoice('2026-02-01T00:00:00Z', 'paid')])).toBe(failed)
})

test.each([
  ['only an older invoice failed', [failed, invoice('2026-04-01T00:00:00Z', 'paid')]],
  ['the newest invoice is open', [invoice('2026-04-01T00:00:00Z', 'open'), failed]],
  ['there are no invoices', []],
])('R-4.26 there is no warning when %s', (_words, invoices) => {
  expect(failedLastInvoice(invoices)).toBeNull()
})
