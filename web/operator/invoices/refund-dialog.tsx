import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import type { OperatorInvoiceDetails } from '#contracts/operator/invoices.ts'
import { minorUnitDigits } from '#contracts/rules/price.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { operatorInvoicesApi } from '#web/operator/session/operator.api.ts'
import { parseAmount } from '#web/operator/workbench/parse-amount.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import classes from './invoices.module.css'
import { INVOICES_KEY, operatorInvoiceQuery } from './invoices.queries.ts'

type Props = { invoice: OperatorInvoiceDetails; onClose: () => void }

/** Asks for the amount, and says what it means before the money goes. */
export function RefundDialog({ invoice, onClose }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const queries = useQueryClient()
  const { id, number, refundable, currency } = invoice
  const digits = minorUnitDigits(currency)
  const [text, setText] = useState((refundable / 10 ** digits).toFixed(digits))
  const amount = parseAmount(text, currency)
  const isRight = amount !== null && amount > 0 && amount <= refundable
  const money = (minorUnits: number) => formats.price(minorUnits, currency)
  const form = useForm({
    schema: z.object({ amount: z.string().check(z.refine((value) => isPayable(parseAmount(value, currency), refundable))) }),
    submit: async () => {
      const paid = await operatorInvoicesApi.refund({ params: { id }, body: amount === refundable ? {} : { amount: amount! } })
      queries.setQueryData(operatorInvoiceQuery(id).queryKey, paid)
      showToast(t('operator.invoices.refund.done', { amount: money(amount!) }))
      onClose()
      await queries.invalidateQueries({ queryKey: [...INVOICES_KEY, 'list'] })
    },
    words: { amount: t('operator.invoices.refund.invalid', { amount: money(refundable) }) },
    failure: ({ code, extras }: ApiError) => {
      if (code === 'nothing_to_refund') return t('operator.invoices.refund.nothing')
      if (code === 'disputed') return t('operator.invoices.refund.disputed')
      if (code === 'refund_failed') return t('operator.invoices.refund.failed', { reason: String(extras.reason) })
      return undefined
    },
  })
  return (
    <FormDialog
      title={t('operator.invoices.refund.title', { number })}
      lead={t('operator.invoices.refund.lead')}
      of={form}
      action={isRight ? t('operator.invoices.refund.action', { amount: money(amount) }) : t('operator.invoices.refund.button')}
      onClose={onClose}
    >
      <TextField
        {...form.field('amount')}
        required
        inputMode="decimal"
        autoComplete="off"
        label={t('operator.invoices.refund.amount', { currency: currency.toUpperCase() })}
        description={t('operator.invoices.refund.hint', { amount: money(refundable) })}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {isRight && <p className={classes.consequence}>{t(`operator.invoices.refund.${amount === refundable ? 'whole' : 'part'}`)}</p>}
    </FormDialog>
  )
}

const isPayable = (amount: number | null, most: number) => amount !== null && amount > 0 && amount <= most
