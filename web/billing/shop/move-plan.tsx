import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'
import type { PlanMoves } from '#contracts/billing/plan-moves.ts'
import { Whole } from '#contracts/lib/common.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Paragraphs } from '#contracts/rules/reading/text-fields.ts'
import { currentSubState } from '#contracts/rules/subscription.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { planMovesApi, planMovesQuery, subscriptionKeys } from '#web/billing/billing.queries.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { trackerService } from '#web/trackers/service.ts'
import { trackerKeys } from '#web/trackers/trackers.queries.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { TextAreaField } from '#web/ui/form/text-area-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import classes from './shop.module.css'
import { WithdrawRequest } from './withdraw-request.tsx'

type Props = { device: Device; devices: readonly Device[] }

const stateOf = ({ tracker_status: { sub_state, sub_end_date } }: Device, now: Date) => currentSubState(sub_state, sub_end_date, now)

/** Offers to move the running plan of a tracker to another one, or shows that support was asked for it. */
export function MovePlan(props: Props) {
  const isOffered = useFeature('planMoves')
  const now = useNow()
  const { device } = props
  const isPaused = trackerService(device, now).state === 'resting'
  return isOffered && stateOf(device, now) === 'active' && !isPaused && !device.linked_to_pro ? <OfferedMove {...props} /> : null
}

function OfferedMove({ device, devices }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const [isOpen, setOpen] = useState(false)
  const moves = useQuery(planMovesQuery()).data
  if (!moves) return null
  const open = moves.requests.find(({ from }) => from === device.id)
  if (open) {
    const name = devices.find(({ id }) => id === open.to)?.name ?? '–'
    const { reference } = open
    return (
      <WithdrawRequest
        words={t('subscriptions.move.open', { date: formats.date(open.created_at), name, reference })}
        withdraw={() => planMovesApi.withdraw({ params: { reference } })}
        queryKey={subscriptionKeys.moves}
      />
    )
  }
  return (
    <div className={classes.move}>
      <Button variant="default" h="auto" mih={44} maw="100%" styles={{ label: { whiteSpace: 'normal' } }} onClick={() => setOpen(true)}>
        {t('subscriptions.move.button')}
      </Button>
      {isOpen && <MoveDialog device={device} devices={devices} moves={moves} onClose={() => setOpen(false)} />}
    </div>
  )
}

type DialogProps = Props & { moves: PlanMoves; onClose: () => void }

function MoveDialog({ devices, ...props }: DialogProps) {
  const { t } = useTranslation()
  const now = useNow()
  const free = devices.filter((each) => stateOf(each, now) !== 'active' && !each.linked_to_pro)
  const title = t('subscriptions.move.title', { name: props.device.name })
  if (free.length > 0) return <MoveForm {...props} devices={free} title={title} />
  return (
    <Dialog title={title} lead={t('subscriptions.move.none')} onClose={props.onClose}>
      <DialogFoot>
        <Button h={44} onClick={props.onClose}>
          {t('action.close')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

/** The reason is only asked for when support decides. */
const Move = z.object({ to: Whole, message: z.optional(Paragraphs(1, TEXT_LENGTH.message)) })

/** `devices`: those without a running plan. Within the limits the plan moves at once, beyond them support decides. */
function MoveForm({ device, devices, moves, title, onClose }: DialogProps & { title: string }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { can_move, next_at } = moves
  const finish = async (words: string) => {
    onClose()
    showToast(words)
    await Promise.all(
      [subscriptionKeys.current, subscriptionKeys.moves, trackerKeys.devices].map((queryKey) => queries.invalidateQueries({ queryKey })),
    )
  }
  const form = useForm({
    schema: Move,
    async submit({ to, message }) {
      const move = { from: device.id, to }
      if (message !== undefined) {
        const { reference } = await planMovesApi.ask({ body: { ...move, message } })
        return finish(t('subscriptions.move.asked', { reference }))
      }
      await planMovesApi.move({ body: move })
      await finish(t('subscriptions.move.moved', { name: devices.find(({ id }) => id === to)?.name ?? '' }))
      await navigate('/subscriptionSelector')
    },
    failure: useFailureWords(),
  })
  const limit = next_at ? t('subscriptions.move.limit', { date: formats.date(next_at) }) : t('subscriptions.move.never')
  return (
    <FormDialog
      title={title}
      lead={t('subscriptions.move.lead', { name: device.name })}
      of={form}
      action={t(can_move ? 'subscriptions.move.do' : 'subscriptions.move.ask')}
      onClose={onClose}
    >
      {!can_move && <p className={classes.note}>{limit}</p>}
      <SelectField
        {...form.field('to')}
        label={t('subscriptions.move.to')}
        data={devices.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      {!can_move && (
        <TextAreaField
          {...form.field('message')}
          required
          maxLength={TEXT_LENGTH.message}
          label={t('subscriptions.move.why')}
          description={t('subscriptions.move.whyHint')}
        />
      )}
    </FormDialog>
  )
}

function useFailureWords() {
  const { t } = useTranslation()
  return ({ code }: ApiError) => {
    if (code === 'move_limit') return t('subscriptions.move.limitFailed')
    if (code === 'request_pending') return t('subscriptions.move.pendingFailed')
    if (code === 'plan_paused') return t('subscriptions.move.pausedFailed')
    if (code === 'already_active') return t('subscriptions.move.activeFailed')
    if (code === 'subscription_required') return t('subscriptions.move.endedFailed')
    return code === 'device_linked_to_pro' ? t('subscriptions.move.proFailed') : undefined
  }
}
