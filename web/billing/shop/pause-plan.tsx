import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import type { PlanPauses } from '#contracts/billing/plan-pauses.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Paragraphs } from '#contracts/rules/reading/text-fields.ts'
import { currentSubState } from '#contracts/rules/subscription.ts'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { planPausesApi, planPausesQuery, subscriptionKeys } from '#web/billing/billing.queries.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { trackerService } from '#web/trackers/service.ts'
import { trackerKeys } from '#web/trackers/trackers.queries.tsx'
import { DateField } from '#web/ui/form/date-field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { TextAreaField } from '#web/ui/form/text-area-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import classes from './shop.module.css'
import { WithdrawRequest } from './withdraw-request.tsx'

type Props = { device: Device; devices: readonly Device[] }

/** Offers to pause the running plan of a tracker or to resume it, or shows that support was asked for a pause. */
export function PausePlan(props: Props) {
  const isOffered = useFeature('planPauses')
  const now = useNow()
  const { device } = props
  const { sub_state, sub_end_date } = device.tracker_status
  const isRunning = currentSubState(sub_state, sub_end_date, now) === 'active' && sub_end_date !== null
  if (!isOffered || !isRunning || device.linked_to_pro) return null
  const service = trackerService(device, now)
  const pausedUntil = service.state === 'resting' ? service.pausedUntil : undefined
  return pausedUntil ? <PausedPlan device={device} until={pausedUntil} /> : <OfferedPause {...props} />
}

const CHANGED = [subscriptionKeys.current, subscriptionKeys.pauses, trackerKeys.devices]

/** Shows a result and reads plans and trackers again. */
function useFinish() {
  const queries = useQueryClient()
  return (words: string) => {
    showToast(words)
    return Promise.all(CHANGED.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
}

function PausedPlan({ device, until }: { device: Device; until: Date }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const finish = useFinish()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => planPausesApi.resume({ body: { tracker: device.id } }),
    onSuccess: () => finish(t('subscriptions.pause.resumed')),
  })
  const hasFailed = error !== null && !(error instanceof ApiError && error.isLeaving)
  return (
    <div className={classes.note} role="status">
      <p>{t('subscriptions.pause.paused', { date: formats.date(until) })}</p>
      <FormAlert>{hasFailed ? t('error.general') : null}</FormAlert>
      <Button variant="default" h={44} loading={isPending} onClick={() => mutate()}>
        {t('subscriptions.pause.resume')}
      </Button>
    </div>
  )
}

function OfferedPause({ device, devices }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const [isOpen, setOpen] = useState(false)
  const pauses = useQuery(planPausesQuery(device.id)).data
  if (!pauses) return null
  const { request } = pauses
  if (request) {
    const { reference } = request
    const dates = { date: formats.date(request.created_at), until: formats.date(request.until) }
    return (
      <WithdrawRequest
        words={t('subscriptions.pause.open', { ...dates, reference })}
        withdraw={() => planPausesApi.withdraw({ params: { reference } })}
        queryKey={subscriptionKeys.pauses}
      />
    )
  }
  return (
    <div className={classes.move}>
      <Button variant="default" h="auto" mih={44} maw="100%" styles={{ label: { whiteSpace: 'normal' } }} onClick={() => setOpen(true)}>
        {t('subscriptions.pause.button')}
      </Button>
      {isOpen && <PauseForm device={device} devices={devices} pauses={pauses} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** A day of the person's calendar; the reason is only asked for when support decides. */
const Pause = z.object({
  until: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)),
  message: z.optional(Paragraphs(1, TEXT_LENGTH.message)),
})

const pad = (number: number) => String(number).padStart(2, '0')
const toDay = (at: Date) => `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`

/** Within the limits the plan is paused at once, beyond them support decides. */
function PauseForm({ device, devices, pauses, onClose }: Props & { pauses: PlanPauses; onClose: () => void }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const finish = useFinish()
  const [isLonger, setLonger] = useState(false)
  const { can_pause, next_at, max_days, together } = pauses
  const isAsked = !can_pause || isLonger
  const form = useForm({
    schema: Pause,
    async submit({ until: day, message }) {
      const until = formatInstant(new Date(`${day}T00:00`))
      const body = { tracker: device.id, until }
      if (message !== undefined) {
        const { reference } = await planPausesApi.ask({ body: { ...body, message } })
        onClose()
        return void (await finish(t('subscriptions.pause.asked', { reference })))
      }
      await planPausesApi.pause({ body })
      onClose()
      await finish(t('subscriptions.pause.paused', { date: formats.date(until) }))
    },
    failure: useFailureWords(),
  })
  const nameOf = (id: number) => devices.find((each) => each.id === id)?.name
  const names = together.flatMap((id) => nameOf(id) ?? [])
  const limit = next_at ? t('subscriptions.pause.limit', { date: formats.date(next_at) }) : t('subscriptions.pause.never')
  const dayAfter = (days: number) => toDay(new Date(now.getTime() + days * DAY_MS))
  return (
    <FormDialog
      title={t('subscriptions.pause.title', { name: device.name })}
      lead={t('subscriptions.pause.lead', { names: device.name })}
      of={form}
      action={t(isAsked ? 'subscriptions.pause.ask' : 'subscriptions.pause.do')}
      onClose={onClose}
    >
      {names.length > 0 && <p className={classes.note}>{t('subscriptions.pause.together', { names: names.join(', ') })}</p>}
      {!can_pause && <p className={classes.note}>{limit}</p>}
      <DateField
        {...form.field('until')}
        type="date"
        label={t('subscriptions.pause.until')}
        min={dayAfter(1)}
        max={dayAfter(isAsked ? 365 : max_days)}
        defaultValue={dayAfter(Math.min(30, max_days))}
        required
      />
      {can_pause && !isLonger && (
        <p>
          {t('subscriptions.pause.longest', { days: max_days })}{' '}
          <Button variant="transparent" px={0} h={44} onClick={() => setLonger(true)}>
            {t('subscriptions.pause.ask')}
          </Button>
        </p>
      )}
      {isAsked && (
        <TextAreaField {...form.field('message')} required maxLength={TEXT_LENGTH.message} label={t('subscriptions.pause.why')} />
      )}
    </FormDialog>
  )
}

function useFailureWords() {
  const { t } = useTranslation()
  return ({ code }: ApiError) => {
    if (code === 'pause_limit') return t('subscriptions.pause.limitFailed')
    if (code === 'request_pending') return t('subscriptions.move.pendingFailed')
    if (code === 'subscription_required') return t('subscriptions.move.endedFailed')
    if (code === 'reported_missing') return t('subscriptions.pause.missingFailed')
    return code === 'not_pausable' ? t('subscriptions.pause.notPausable') : undefined
  }
}
