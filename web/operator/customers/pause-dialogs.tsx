import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import type { Customer } from '#contracts/operator/customers.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { customersApi } from '#web/operator/session/operator.api.ts'
import { DateField } from '#web/ui/form/date-field.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { Nothing, optionsOf, useDeed, useRefusal, Whole } from './help-dialogs.tsx'

type Props = { customer: Customer; onClose: () => void }

const PauseForm = z.object({ tracker: Whole, until: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)) })

export function PausePlanDialog({ customer: { account, trackers }, onClose }: Props) {
  const { t } = useTranslation()
  const run = useDeed()
  const able = trackers.filter(({ sub_state, sub_end_date, paused_until }) => sub_state === 'active' && sub_end_date && !paused_until)
  const form = useForm({
    schema: PauseForm,
    submit: async ({ tracker, until }) => {
      const paused = customersApi.pausePlan({ params: { account }, body: { tracker, until: `${until}T00:00:00Z` } })
      await run(paused, t('operator.customer.planPaused'))
      onClose()
    },
    failure: useRefusal(),
  })
  if (able.length === 0)
    return <Nothing title={t('operator.customer.pausePlan')} onClose={onClose} text={t('operator.customer.noneToPause')} />
  return (
    <FormDialog
      title={t('operator.customer.pausePlan')}
      lead={t('operator.customer.pausePlanLead')}
      of={form}
      action={t('operator.customer.pausePlan')}
      onClose={onClose}
    >
      <SelectField {...form.field('tracker')} label={t('operator.customer.tracker')} data={optionsOf(able)} />
      <DateField {...form.field('until')} type="date" label={t('operator.customer.pauseUntil')} required />
    </FormDialog>
  )
}

const ResumeForm = z.object({ tracker: Whole })

export function ResumePlanDialog({ customer: { account, trackers }, onClose }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const run = useDeed()
  const paused = trackers.flatMap((each) => (each.paused_until ? [{ ...each, until: each.paused_until }] : []))
  const form = useForm({
    schema: ResumeForm,
    submit: async (body) => {
      await run(customersApi.resumePlan({ params: { account }, body }), t('operator.customer.planResumed'))
      onClose()
    },
    failure: useRefusal(),
  })
  if (paused.length === 0)
    return <Nothing title={t('operator.customer.resumePlan')} onClose={onClose} text={t('operator.customer.noneToResume')} />
  return (
    <FormDialog
      title={t('operator.customer.resumePlan')}
      lead={t('operator.customer.resumePlanLead')}
      of={form}
      action={t('operator.customer.resumePlan')}
      onClose={onClose}
    >
      <SelectField
        {...form.field('tracker')}
        label={t('operator.customer.tracker')}
        data={paused.map(({ id, name, until }) => ({
          value: String(id),
          label: `${name} · ${t('operator.customer.pausedUntil', { date: formats.date(until) })}`,
        }))}
      />
    </FormDialog>
  )
}
