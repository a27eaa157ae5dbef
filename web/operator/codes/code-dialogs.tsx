import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { CODE_LIMITS, type CodeBatch } from '#contracts/operator/codes.ts'
import { Email, Text } from '#contracts/rules/reading/text-fields.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { codesApi } from '#web/operator/session/operator.api.ts'
import { DateField } from '#web/ui/form/date-field.tsx'
import { AddressField, RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { CODES_KEY, codePlansQuery } from './codes.queries.ts'

const Whole = (most: number) => z.coerce.number().check(z.int(), z.minimum(1), z.maximum(most))
/** Months, or instead of them a plan. */
const Worth = { plan: z.optional(z.string()), months: z.optional(Whole(CODE_LIMITS.months)), ends: z.string() }
const NewCodes = z.object({ name: Text(1, CODE_LIMITS.name), count: Whole(CODE_LIMITS.count), ...Worth })
const MailedCode = z.object({ email: Email, ...Worth })

const toWorth = ({ plan, months }: { plan?: string | undefined; months?: number | undefined }) => (plan ? { plan } : { months })

/** The whole last day is included. */
const toEnd = (day: string) => (day ? { ends_at: new Date(new Date(`${day}T00:00:00Z`).getTime() + DAY_MS).toISOString() } : {})

type MakeProps = { onMade: (batch: CodeBatch) => void; onClose: () => void }

export function MakeCodesDialog({ onMade, onClose }: MakeProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const form = useForm({
    schema: NewCodes,
    submit: async ({ ends, name, count, ...worth }) => {
      const { batch } = await codesApi.make({ body: { name, count, ...toWorth(worth), ...toEnd(ends) } })
      await queries.invalidateQueries({ queryKey: CODES_KEY })
      onClose()
      onMade(batch)
    },
    failure: ({ fields }) => (fields.ends_at ? { ends: t('error.invalid') } : undefined),
  })
  return (
    <FormDialog title={t('operator.codes.make')} of={form} action={t('operator.codes.make')} onClose={onClose}>
      <TextField {...form.field('name')} required maxLength={CODE_LIMITS.name} label={t('operator.codes.name')} autoComplete="off" />
      <TextField {...form.field('count')} required inputMode="numeric" label={t('operator.codes.count')} autoComplete="off" />
      <WorthFields of={form} />
    </FormDialog>
  )
}

export function MailCodeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const form = useForm({
    schema: MailedCode,
    submit: async ({ ends, email, ...worth }) => {
      const { mailed_to } = await codesApi.mail({ body: { email, ...toWorth(worth), ...toEnd(ends) } })
      showToast(t('operator.codes.mailed', { email: mailed_to }))
      onClose()
      await queries.invalidateQueries({ queryKey: CODES_KEY })
    },
    words: { email: t('error.email') },
    failure: ({ fields }) => (fields.ends_at ? { ends: t('error.invalid') } : undefined),
  })
  return (
    <FormDialog title={t('operator.codes.mail')} of={form} action={t('operator.codes.mail')} onClose={onClose}>
      <AddressField {...form.field('email')} required label={t('operator.email')} autoComplete="off" />
      <WorthFields of={form} />
    </FormDialog>
  )
}

type FieldProps = { name: string; error: string | undefined; 'aria-invalid': boolean }

function WorthFields({ of: { field } }: { of: { field: (name: 'plan' | 'months' | 'ends') => FieldProps } }) {
  const { t } = useTranslation()
  const { data } = useQuery(codePlansQuery())
  const [plan, setPlan] = useState('')
  const plans = data?.plans ?? []
  return (
    <>
      {plans.length > 0 && (
        <SelectField
          {...field('plan')}
          label={t('operator.customer.plan')}
          value={plan}
          onChange={({ target }) => setPlan(target.value)}
          data={[
            { value: '', label: t('operator.codes.noPlan') },
            ...plans.map(({ id, name, currency }) => ({ value: id, label: `${name} (${currency.toUpperCase()})` })),
          ]}
        />
      )}
      {plan === '' && (
        <TextField
          {...field('months')}
          required
          inputMode="numeric"
          label={t('operator.codes.months')}
          defaultValue="12"
          autoComplete="off"
        />
      )}
      <DateField {...field('ends')} type="date" label={t('operator.codes.ends')} />
      <RequiredLegend />
    </>
  )
}

/** Codes of a batch, or single ones. */
export type Voiding = { subject: string } & ({ batch: number } | { codes: string[] })

/** As many calls as the limit of one requires. */
const divide = (codes: readonly string[]) =>
  Array.from({ length: Math.ceil(codes.length / CODE_LIMITS.codes) }, (_, nth) => ({
    codes: codes.slice(nth * CODE_LIMITS.codes, (nth + 1) * CODE_LIMITS.codes),
  }))

export function VoidDialog({ subject, onClose, ...which }: Voiding & { onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const cancel = async () => {
    let n = 0
    for (const body of 'batch' in which ? [{ batch: which.batch }] : divide(which.codes)) {
      const { voided } = await codesApi.void({ body }).catch((error: unknown) => {
        ignoreGone(error)
        return { voided: 0 }
      })
      n += voided
    }
    showToast(t('operator.codes.voided', { n }))
    await queries.invalidateQueries({ queryKey: CODES_KEY })
  }
  return (
    <ConfirmDialog
      title={t('operator.codes.voidOf', { subject })}
      action={t('operator.codes.void')}
      isDanger
      onConfirm={cancel}
      onClose={onClose}
    >
      {t('operator.codes.voidLead')}
    </ConfirmDialog>
  )
}
