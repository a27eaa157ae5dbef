import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { type Customer, type CustomerTracker, MAX_GIVEN_MONTHS, NewCustomerEmail } from '#contracts/operator/customers.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { CUSTOMERS_KEY } from '#web/operator/session/customers-key.ts'
import { customersApi } from '#web/operator/session/operator.api.ts'
import { AddressField, TextField } from '#web/ui/form/fields.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'

type Props = { customer: Customer; onClose: () => void }

/** Runs a deed, shows what it did, and reads the page again. */
export function useDeed() {
  const queries = useQueryClient()
  return async (deed: Promise<unknown>, done: string) => {
    await deed
    showToast(done)
    await queries.invalidateQueries({ queryKey: CUSTOMERS_KEY })
  }
}

const REFUSALS = [
  'subscription_required',
  'recurring_active',
  'already_active',
  'device_linked_to_pro',
  'throttled',
  'plan_paused',
  'not_pausable',
  'no_change',
  'reported_missing',
  'email_exists',
] as const

/** Why a deed was refused, in words. */
export function useRefusal() {
  const { t } = useTranslation()
  return ({ code }: ApiError) => {
    const known = REFUSALS.find((each) => each === code)
    return known && t(`operator.customer.refusals.${known}`)
  }
}

export function EndSessionsDialog({ customer: { account, name, email }, onClose }: Props) {
  const { t } = useTranslation()
  const run = useDeed()
  return (
    <ConfirmDialog
      title={t('operator.customer.endSessionsAsk', { name: name || email })}
      action={t('operator.customer.endSessions')}
      isDanger
      onConfirm={() => run(customersApi.endSessions({ params: { account } }), t('operator.customer.sessionsEnded'))}
      onClose={onClose}
    >
      {t('operator.customer.endSessionsLead')}
    </ConfirmDialog>
  )
}

export function UnlockDialog({ customer: { account, people }, onClose }: Props) {
  const { t } = useTranslation()
  const run = useDeed()
  const wrong = Math.max(0, ...people.map(({ wrong_passwords }) => wrong_passwords))
  return (
    <ConfirmDialog
      title={t('operator.customer.unlockAsk')}
      action={t('operator.customer.unlockDo')}
      onConfirm={() => run(customersApi.unlock({ params: { account } }), t('operator.customer.unlocked'))}
      onClose={onClose}
    >
      {t('operator.customer.unlockLead', { number: wrong })}
    </ConfirmDialog>
  )
}

export function MakeProDialog({ customer: { account, name, email }, onClose }: Props) {
  const { t } = useTranslation()
  const run = useDeed()
  return (
    <ConfirmDialog
      title={t('operator.customer.makeProAsk', { name: name || email })}
      action={t('operator.customer.makePro')}
      onConfirm={() => run(customersApi.makePro({ params: { account } }), t('operator.customer.madePro'))}
      onClose={onClose}
    >
      {t('operator.customer.makeProLead')}
    </ConfirmDialog>
  )
}

export function ResendDialog({ customer: { account, email }, mail, onClose }: Props & { mail: 'confirmation' | 'password' }) {
  const { t } = useTranslation()
  const run = useDeed()
  return (
    <ConfirmDialog
      title={t('operator.customer.resendAsk', { email })}
      action={t('operator.customer.resendDo')}
      onConfirm={() => run(customersApi.resend({ params: { account }, body: { mail } }), t('operator.customer.resent', { email }))}
      onClose={onClose}
      failure={useRefusal()}
    >
      {t(`operator.customer.resendLead.${mail}`)}
    </ConfirmDialog>
  )
}

const EmailForm = z.object({ ...NewCustomerEmail.shape, user: z.coerce.number() })

export function ChangeEmailDialog({ customer: { account, people }, onClose }: Props) {
  const { t } = useTranslation()
  const run = useDeed()
  const form = useForm({
    schema: EmailForm,
    submit: async (body) => {
      const started = customersApi.changeEmail({ params: { account }, body })
      await run(started, t('operator.customer.emailChangeStarted', { email: body.email }))
      onClose()
    },
    words: { email: t('error.email') },
    failure: useRefusal(),
  })
  return (
    <FormDialog
      title={t('operator.customer.changeEmail')}
      lead={t('operator.customer.changeEmailLead')}
      of={form}
      action={t('operator.customer.changeEmail')}
      onClose={onClose}
    >
      <SelectField
        {...form.field('user')}
        label={t('operator.customer.currentEmail')}
        data={people.map(({ id, email }) => ({ value: String(id), label: email }))}
      />
      <AddressField {...form.field('email')} label={t('operator.customer.newEmail')} required autoComplete="off" />
      <TextField
        {...form.field('reason')}
        label={t('operator.customer.reason')}
        maxLength={TEXT_LENGTH.address}
        required
        autoComplete="off"
      />
    </FormDialog>
  )
}

export const optionsOf = (trackers: readonly CustomerTracker[]) =>
  trackers.map(({ id, name, identifier }) => ({ value: String(id), label: identifier ? `${name} (${identifier})` : name }))

export const Whole = z.coerce.number().check(z.int(), z.minimum(1))
const GiftForm = z.object({ tracker: Whole, months: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_GIVEN_MONTHS)) })

/** Only trackers whose subscription does not renew: the card of the others would be charged at the former end. */
export function GiveMonthsDialog({ customer: { account, trackers }, onClose }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const run = useDeed()
  const able = trackers.filter(
    ({ sub_state, sub_end_date, plan }) => sub_end_date && !plan?.renews && ['active', 'ended'].includes(sub_state),
  )
  const form = useForm({
    schema: GiftForm,
    submit: async (body) => {
      const given = customersApi.giveMonths({ params: { account }, body })
      await run(given, t('operator.customer.given'))
      onClose()
    },
    words: { months: t('operator.customer.monthsRange', { most: MAX_GIVEN_MONTHS }) },
    failure: useRefusal(),
  })
  if (able.length === 0)
    return <Nothing title={t('operator.customer.giveMonths')} onClose={onClose} text={t('operator.customer.noneToGive')} />
  return (
    <FormDialog
      title={t('operator.customer.giveMonths')}
      lead={t('operator.customer.giveMonthsLead')}
      of={form}
      action={t('operator.customer.giveMonths')}
      onClose={onClose}
    >
      <SelectField
        {...form.field('tracker')}
        label={t('operator.customer.tracker')}
        data={able.map(({ id, name, sub_end_date }) => ({
          value: String(id),
          label: t('operator.customer.trackerUntil', { name, date: formats.date(sub_end_date) }),
        }))}
      />
      <TextField
        {...form.field('months')}
        label={t('operator.customer.months')}
        description={t('operator.customer.monthsRange', { most: MAX_GIVEN_MONTHS })}
        inputMode="numeric"
        defaultValue="1"
        autoComplete="off"
      />
    </FormDialog>
  )
}

const MoveForm = z.object({ from: Whole, to: Whole })

export function MovePlanDialog({ customer: { account, trackers }, onClose }: Props) {
  const { t } = useTranslation()
  const run = useDeed()
  const from = trackers.filter(({ sub_state }) => sub_state === 'active')
  const to = trackers.filter(({ sub_state }) => sub_state !== 'active')
  const form = useForm({
    schema: MoveForm,
    submit: async (body) => {
      await run(customersApi.movePlan({ params: { account }, body }), t('operator.customer.planMoved'))
      onClose()
    },
    failure: useRefusal(),
  })
  if (from.length === 0 || to.length === 0)
    return <Nothing title={t('operator.customer.movePlan')} onClose={onClose} text={t('operator.customer.noneToMove')} />
  return (
    <FormDialog
      title={t('operator.customer.movePlan')}
      lead={t('operator.customer.movePlanLead')}
      of={form}
      action={t('operator.customer.movePlan')}
      onClose={onClose}
    >
      <SelectField {...form.field('from')} label={t('operator.customer.fromTracker')} data={optionsOf(from)} />
      <SelectField {...form.field('to')} label={t('operator.customer.toTracker')} data={optionsOf(to)} />
    </FormDialog>
  )
}

/** Says why a deed is not possible for this customer. */
export function Nothing({ title, text, onClose }: { title: string; text: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <ConfirmDialog title={title} action={t('operator.staff.done')} onConfirm={async () => {}} onClose={onClose}>
      {text}
    </ConfirmDialog>
  )
}
