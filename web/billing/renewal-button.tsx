import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { HeldSubscription } from '#contracts/billing/subscriptions.ts'
import { ApiError, wordsOf } from '#web/lib/api/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { devicesQuery, trackerKeys } from '#web/trackers/trackers.queries.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { subscriptionKeys, subscriptionsApi } from './billing.queries.ts'
import { useBillingPortal } from './provider-page.ts'

type Props = { held: HeldSubscription; name: string }

/** Cancels a recurring subscription at the end of the paid period, or resumes it before then. */
export function RenewalButton({ held, name }: Props) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  if (!held.renewal) return null
  if (held.renewal.cancel_at_period_end) return <ResumeButton held={held} name={name} />
  const label = t('subscriptions.stop')
  return (
    <>
      <Button variant="default" h={44} aria-label={`${label}: ${name}`} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && <StopRenewalDialog held={held} together={held.renewal.devices} onClose={() => setAsking(false)} />}
    </>
  )
}

function ResumeButton({ held, name }: Props) {
  const { t } = useTranslation()
  const change = useChangeRenewal(held)
  const { mutate, isPending, error } = useMutation({ mutationFn: () => change(false) })
  const hasFailed = error !== null && !(error instanceof ApiError && error.isLeaving)
  const label = t('subscriptions.resume')
  return (
    <>
      <FormAlert>{hasFailed ? t(wordsOf(error)) : null}</FormAlert>
      <Button variant="default" h={44} loading={isPending} aria-label={`${label}: ${name}`} onClick={() => mutate()}>
        {label}
      </Button>
    </>
  )
}

type StopRenewalDialogProps = { held: HeldSubscription; together: readonly number[]; onClose: () => void }

function StopRenewalDialog({ held, together, onClose }: StopRenewalDialogProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const change = useChangeRenewal(held)
  const devices = useQuery(devicesQuery()).data ?? []
  const now = useNow()
  const formatEnd = (end: string | null) => {
    if (end === null) return t('tracker.noEnd')
    const date = formats.date(end)
    return new Date(end) < now ? t('subscriptions.endedOn', { date }) : t('subscriptions.activeUntil', { date })
  }
  return (
    <ConfirmDialog
      title={t('subscriptions.stopTitle')}
      action={t('subscriptions.stop')}
      isDanger
      onConfirm={() => change(true)}
      onClose={onClose}
    >
      <p>{t('subscriptions.stopLead')}</p>
      <ul>
        {devices
          .filter(({ id }) => together.includes(id))
          .map(({ id, name, tracker_status }) => (
            <li key={id}>
              <strong>{name}</strong> {formatEnd(tracker_status.sub_end_date)}
            </li>
          ))}
      </ul>
      {together.length > 1 && <p>{t('subscriptions.stopTogether')}</p>}
    </ConfirmDialog>
  )
}

/** Reloads subscriptions and trackers afterwards, even on failure. */
function useChangeRenewal({ id }: HeldSubscription) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return async (cancel_at_period_end: boolean) => {
    try {
      await subscriptionsApi.change({ params: { id }, body: { cancel_at_period_end } })
      showToast(cancel_at_period_end ? t('subscriptions.stopped') : t('subscriptions.resumed'))
    } finally {
      await Promise.all([subscriptionKeys.current, trackerKeys.devices].map((queryKey) => queries.invalidateQueries({ queryKey })))
    }
  }
}

export function ManageButton({ name }: { name: string }) {
  const { t } = useTranslation()
  const portal = useBillingPortal()
  return (
    <>
      <FormAlert>{portal.hasFailed ? t(wordsOf(portal.error)) : null}</FormAlert>
      <Button
        variant="default"
        h={44}
        loading={portal.isOpening}
        onClick={portal.open}
        aria-label={`${t('subscriptions.manage')}: ${name}`}
      >
        {t('subscriptions.manage')}
      </Button>
    </>
  )
}
