import { useTranslation } from 'react-i18next'
import { DISPUTE_STATUSES } from '#contracts/billing/invoices.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import type { OperatorInvoice } from '#contracts/operator/invoices.ts'
import { INVOICE_STATUSES } from '#contracts/rules/subscription.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { Badge } from '#web/ui/badge.tsx'
import classes from './invoices.module.css'

const TONES = { paid: 'good', open: 'warn', failed: 'bad' } as const
const DISPUTE_TONES = { open: 'bad', lost: 'bad', won: 'plain' } as const

/** The status of an invoice, with what was paid back and any dispute at the bank. */
export function InvoiceState({ invoice: { status, refunded, dispute, currency } }: { invoice: OperatorInvoice }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const known = pickListed(INVOICE_STATUSES, status, null)
  const disputed = dispute && pickListed(DISPUTE_STATUSES, dispute, null)
  return (
    <span className={classes.state}>
      {known ? <Badge tone={TONES[known]}>{t(`operator.invoices.statuses.${known}`)}</Badge> : <Badge>{status}</Badge>}
      {refunded > 0 && <Badge>{t('operator.invoices.refundedOf', { amount: formats.price(refunded, currency) })}</Badge>}
      {disputed && <Badge tone={DISPUTE_TONES[disputed]}>{t(`operator.invoices.dispute.${disputed}`)}</Badge>}
    </span>
  )
}
