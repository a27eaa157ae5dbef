import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { findFailedLastInvoice } from '#contracts/rules/subscription.ts'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { invoicesQuery } from './billing.queries.ts'

const Warning = lazy(async () => (await Promise.all([import('./failed-invoice-warning.tsx'), loadWords(['billing'])]))[0])

/** Warns users who may pay that the last invoice could not be debited. The warning is loaded lazily. */
export function FailedInvoice() {
  const mayPay = useHasRight('buy')
  const invoices = useQuery({ ...invoicesQuery(), enabled: mayPay }).data
  const failed = mayPay && invoices ? findFailedLastInvoice(invoices) : null
  if (!failed) return null
  return (
    <Suspense>
      <Warning invoice={failed} />
    </Suspense>
  )
}
