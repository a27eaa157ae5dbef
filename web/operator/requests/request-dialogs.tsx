import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { operatorApi } from '#contracts/operator/index.ts'
import type { OwnerRequest } from '#contracts/operator/requests.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import type { Formats } from '#web/lib/i18n/format.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { CUSTOMERS_KEY } from '#web/operator/session/customers-key.ts'
import { requestsApi } from '#web/operator/session/operator.api.ts'
import { TextAreaField } from '#web/ui/form/text-area-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { REQUESTS_KEY } from './requests.queries.ts'

export type Move = NonNullable<OwnerRequest['move']>

/** The names of both trackers; a dash for one that is no longer on the account. */
export const namesOf = ({ from, to }: Move) => ({ from: from?.name ?? '–', to: to?.name ?? '–' })

type Pause = NonNullable<OwnerRequest['pause']>

/** The name of the tracker, and the day until which its plan is to be paused. */
export const pauseWords = ({ tracker, until }: Pause, formats: Formats) => ({ name: tracker?.name ?? '–', date: formats.date(until) })

type Props = { request: OwnerRequest; onDecided: () => void; onClose: () => void }

/** Says what was decided, and reads requests and customers again. */
function useDecided(onDecided: () => void) {
  const queries = useQueryClient()
  return async (done: string) => {
    showToast(done)
    onDecided()
    await Promise.all([REQUESTS_KEY, CUSTOMERS_KEY].map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
}

const FAILURES = [
  'already_decided',
  'reported_missing',
  'subscription_required',
  'already_active',
  'device_linked_to_pro',
  'not_found',
  'no_change',
  'not_pausable',
  'plan_paused',
] as const

function useRefusal() {
  const { t } = useTranslation()
  return ({ code }: ApiError) => {
    const known = FAILURES.find((each) => each === code)
    return known && t(`operator.requests.failures.${known}`)
  }
}

export function AcceptDialog({ request: { reference, identifier, move, pause }, onDecided, onClose }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const decided = useDecided(onDecided)
  const accept = async () => {
    await requestsApi.accept({ params: { reference } })
    await decided(t('operator.requests.accepted', { reference }))
  }
  return (
    <ConfirmDialog
      title={
        move
          ? t('operator.requests.acceptMoveAsk', namesOf(move))
          : pause
            ? t('operator.requests.acceptPauseAsk', pauseWords(pause, formats))
            : t('operator.requests.acceptAsk', { identifier })
      }
      action={t(pause ? 'operator.requests.acceptPause' : move ? 'operator.requests.acceptMove' : 'operator.requests.acceptDo')}
      isDanger={!move && !pause}
      onConfirm={accept}
      onClose={onClose}
      failure={useRefusal()}
    >
      {pause
        ? t('operator.customer.pausePlanLead')
        : move
          ? t('operator.requests.acceptMoveLead', namesOf(move))
          : t('operator.requests.acceptLead')}
    </ConfirmDialog>
  )
}

export function RefuseDialog({ request: { reference, move, pause }, onDecided, onClose }: Props) {
  const { t } = useTranslation()
  const decided = useDecided(onDecided)
  const form = useForm({
    schema: operatorApi.ownerRequests.refuse.body,
    submit: async (body) => {
      await requestsApi.refuse({ params: { reference }, body })
      onClose()
      await decided(t('operator.requests.refused', { reference }))
    },
    failure: useRefusal(),
  })
  return (
    <FormDialog
      title={t('operator.requests.refuseTitle', { reference })}
      lead={t(pause ? 'operator.requests.refusePauseLead' : move ? 'operator.requests.refuseMoveLead' : 'operator.requests.refuseLead')}
      of={form}
      action={t('operator.requests.refuseDo')}
      onClose={onClose}
    >
      <TextAreaField {...form.field('reason')} required maxLength={TEXT_LENGTH.message} label={t('operator.requests.reason')} />
    </FormDialog>
  )
}
