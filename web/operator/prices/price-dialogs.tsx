import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import type { OperatorPrice, PriceChange, PricePreview } from '#contracts/operator/prices.ts'
import { chargeStep, minorUnitDigits } from '#contracts/rules/price.ts'
import { RUNNING_CHANGES } from '#contracts/rules/prices/price-changes.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { clock } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { pricesApi } from '#web/operator/session/operator.api.ts'
import { parseAmount } from '#web/operator/workbench/parse-amount.ts'
import { Facts, Section } from '#web/operator/workbench/workbench.tsx'
import { DateField } from '#web/ui/form/date-field.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { readFormValues, useForm } from '#web/ui/form/use-form.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { PRICES_KEY, previewQuery } from './prices.queries.ts'
import { usePriceWords } from './use-price-words.ts'

type Props = { price: OperatorPrice; noticeDays: number; onClose: () => void }

const readAmount = (text: string, currency: string) => {
  const amount = parseAmount(text, currency)
  return amount !== null && amount > 0 && amount <= 100_000_000 && amount % chargeStep(currency) === 0 ? amount : null
}

/** A new amount from a day on, with whom it meets shown before it is saved. */
export function SetPriceDialog({ price, noticeDays, onClose }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const queries = useQueryClient()
  const { amountFrom } = usePriceWords()
  const { id, name, currency } = price
  const wordsOf = useRefusalWords(price, noticeDays)
  const [draft, setDraft] = useState<Draft>({ amount: '', from: '', running: 'keep' })
  const bodyOf = ({ amount, from, running }: Draft) => ({
    ...{ price: id, amount: readAmount(amount, currency) ?? 0, running },
    ...(from && { from: `${from}T00:00:00Z` }),
  })
  const digits = chargeStep(currency) === 1 ? minorUnitDigits(currency) : 0
  const form = useForm({
    schema: z.object({
      amount: z.string().check(z.refine((text) => readAmount(text, currency) !== null)),
      from: z.string(),
      running: z._default(z.enum(RUNNING_CHANGES), 'keep'),
    }),
    submit: async (values) => {
      const saved = await pricesApi.set({ body: bodyOf(values) })
      showToast(t('operator.prices.saved', { subject: amountFrom(saved) }))
      onClose()
      await queries.invalidateQueries({ queryKey: PRICES_KEY })
    },
    words: { amount: t('operator.prices.wrong', { amount: formats.price(price.amount, currency) }) },
    failure: (error, values) => wordsOf(error, values.from),
  })
  const isRight = readAmount(draft.amount, currency) !== null
  const { data: found } = useQuery({ ...previewQuery(bodyOf(draft)), enabled: isRight })
  const refused = isRight && found?.refusal ? wordsOf(found.refusal, draft.from) : undefined
  const field = (key: keyof Draft) => {
    const own = form.field(key)
    return own.error || !refused?.[key] ? own : { ...own, error: refused[key], 'aria-invalid': true }
  }
  const change: ComponentProps<'form'>['onChange'] = (event) => {
    form.form.onChange(event)
    const values = readFormValues(event.currentTarget)
    setDraft({ amount: String(values.amount), from: String(values.from), running: values.running === 'change' ? 'change' : 'keep' })
  }
  return (
    <FormDialog
      title={t('operator.prices.setOf', { name: `${name} ${currency.toUpperCase()}` })}
      of={{ ...form, form: { ...form.form, onChange: change } }}
      action={t('operator.prices.save')}
      onClose={onClose}
    >
      <TextField
        {...field('amount')}
        required
        inputMode={digits > 0 ? 'decimal' : 'numeric'}
        autoComplete="off"
        label={`${t('operator.prices.amount')} (${currency.toUpperCase()})`}
        description={`${t('operator.prices.now')}: ${formats.price(price.amount, currency)}`}
      />
      <DateField {...field('from')} type="date" label={t('operator.prices.fromHint')} />
      {price.recurring && (
        <SelectField
          {...field('running')}
          label={t('operator.prices.running')}
          data={RUNNING_CHANGES.map((value) => ({ value, label: t(`operator.prices.${value}`) }))}
        />
      )}
      {isRight && found?.preview && <Preview preview={found.preview} />}
    </FormDialog>
  )
}

type Draft = { amount: string; from: string; running: (typeof RUNNING_CHANGES)[number] }

/** Why the server refused an amount, by field. */
function useRefusalWords({ currency }: OperatorPrice, noticeDays: number) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { amountFrom } = usePriceWords()
  return ({ code, fields, extras }: ApiError, from: string): Partial<Record<keyof Draft, string>> | undefined => {
    if (code === 'price_planned') {
      const subject = amountFrom({ amount: Number(extras.amount), currency, from: String(extras.from) })
      return { from: t('operator.prices.planned', { subject, who: String(extras.who) }) }
    }
    if (code !== 'validation_error') return undefined
    const isPast = from !== '' && new Date(`${from}T00:00:00Z`) < clock.now()
    return {
      ...(fields.amount && { amount: t('operator.prices.same') }),
      ...(fields.from && { from: isPast ? t('operator.prices.past') : t('operator.prices.tooSoon', { days: formats.number(noticeDays) }) }),
    }
  }
}

/** Whom a new amount meets, and what it changes in a year. */
function Preview({ preview }: { preview: PricePreview }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { day } = usePriceWords()
  const { currency, renewing, changed, holding, owners, first_renewal, mails, mails_from } = preview
  return (
    <Section title={t('operator.prices.preview')}>
      <Facts
        facts={[
          [t('operator.prices.renewing'), formats.number(renewing)],
          [t('operator.prices.meets'), formats.number(changed)],
          ...(holding > 0 ? [[t('operator.prices.holdsAlready'), formats.number(holding)] as const] : []),
          [t('operator.prices.first'), first_renewal && day(first_renewal)],
          [t('operator.prices.owners'), formats.number(owners)],
          [t('operator.prices.yearBefore'), formats.price(preview.year_before, currency)],
          [t('operator.prices.yearAfter'), formats.price(preview.year_after, currency)],
          [t('operator.prices.mails'), formats.number(mails)],
          [t('operator.prices.mailsFrom'), mails_from && day(mails_from)],
        ]}
      />
    </Section>
  )
}

type WithdrawProps = { change: PriceChange; name: string; onClose: () => void }

/** Says what happens to owners who know of the amount already. */
export function WithdrawDialog({ change, name, onClose }: WithdrawProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { amountFrom } = usePriceWords()
  const withdraw = async () => {
    await pricesApi.cancel({ params: { id: change.id }, body: {} })
    showToast(t('operator.prices.withdrawn', { subject: amountFrom(change) }))
    await queries.invalidateQueries({ queryKey: PRICES_KEY })
  }
  return (
    <ConfirmDialog
      title={t('operator.prices.withdrawAsk', { subject: amountFrom(change) })}
      action={t('operator.prices.withdraw')}
      isDanger
      onConfirm={withdraw}
      onClose={onClose}
      failure={({ code }) => (code === 'wrong_step' ? t('operator.prices.begun') : undefined)}
    >
      <p>{t('operator.prices.withdrawLead', { name })}</p>
      {change.noticed > 0 && <p>{t('operator.prices.withdrawTold', { n: change.noticed })}</p>}
    </ConfirmDialog>
  )
}
