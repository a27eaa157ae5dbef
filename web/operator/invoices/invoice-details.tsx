import { Button } from '@mantine/core'
import { IconReceiptOff } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { CREDIT_REASONS, type OperatorInvoiceDetails } from '#contracts/operator/invoices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { Buttons, Facts, Lines, Note } from '#web/operator/workbench/workbench.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { InvoiceState } from './invoice-state.tsx'
import { operatorInvoiceQuery } from './invoices.queries.ts'
import { RefundDialog } from './refund-dialog.tsx'

/** One invoice with its payments and credit notes, and the button that pays it back. */
export function InvoiceDetails({ id, mayRefund }: { id: number; mayRefund: boolean }) {
  const { t } = useTranslation()
  const invoice = useSuspenseQuery(operatorInvoiceQuery(id)).data
  const [isOpen, setOpen] = useState(false)
  if (!invoice) return <Empty icon={<IconReceiptOff size={30} />} title={t('operator.invoices.none')} />
  return (
    <>
      <h2>{invoice.number}</h2>
      <InvoiceState invoice={invoice} />
      {mayRefund && invoice.refundable > 0 && (
        <Buttons>
          <Button h={44} onClick={() => setOpen(true)}>
            {t('operator.invoices.refund.button')}
          </Button>
        </Buttons>
      )}
      {mayRefund && invoice.refundable === 0 && <Note>{t('operator.invoices.notRefundable')}</Note>}
      <Summary invoice={invoice} />
      <Contents invoice={invoice} />
      <Payments invoice={invoice} />
      <CreditNotes invoice={invoice} />
      {isOpen && <RefundDialog invoice={invoice} onClose={() => setOpen(false)} />}
    </>
  )
}

type Props = { invoice: OperatorInvoiceDetails }

function Summary({ invoice: { customer, date, order, balance, refundable, currency } }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <Facts
      facts={[
        [t('operator.invoices.customer'), customer.name],
        [t('operator.email'), customer.email],
        [t('operator.invoices.date'), formats.date(date)],
        [t('operator.invoices.order'), order],
        [t('operator.invoices.balance'), balance > 0 && formats.price(balance, currency)],
        [t('operator.invoices.refundable'), refundable > 0 && formats.price(refundable, currency)],
      ]}
    />
  )
}

function Contents({ invoice: { lines, tax, amount, currency } }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const money = (minorUnits: number) => formats.price(minorUnits, currency)
  return (
    <Lines
      title={t('operator.invoices.lines')}
      lines={[
        ...lines.map(({ label, quantity, unit_amount }) => ({ key: label, label, end: money(quantity * unit_amount) })),
        ...(tax === null ? [] : [{ key: 'tax', label: t('operator.invoices.tax'), end: money(tax) }]),
        { key: 'amount', label: <strong>{t('operator.invoices.amount')}</strong>, end: money(amount) },
      ]}
    />
  )
}

function Payments({ invoice: { payments, currency } }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <Lines
      title={t('operator.invoices.payments')}
      lines={payments.map(({ at, amount, card, country }) => ({
        key: at,
        label: (
          <>
            {formats.dateTime(at)}
            <small>{[card && `${t('operator.invoices.paidWith')} ${card}`, country].filter(Boolean).join(' · ')}</small>
          </>
        ),
        end: formats.price(amount, currency),
      }))}
    />
  )
}

type CreditProps = { invoice: Pick<OperatorInvoiceDetails, 'credit_notes' | 'currency'> }

export function CreditNotes({ invoice: { credit_notes, currency } }: CreditProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const reasonWords = (reason: string) => {
    const known = pickListed(CREDIT_REASONS, reason, null)
    return known ? t(`operator.invoices.reasons.${known}`) : reason
  }
  return (
    <Lines
      title={t('operator.invoices.creditNotes')}
      lines={credit_notes.map(({ number, date, amount, reason, failed }) => ({
        key: number,
        label: (
          <>
            {number} · {formats.date(date)}
            <small>{failed ? t('operator.invoices.creditFailed') : reasonWords(reason)}</small>
          </>
        ),
        end: formats.price(amount, currency),
      }))}
    />
  )
}
