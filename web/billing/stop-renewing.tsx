import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { HeldSubscription } from '#contracts/subscriptions.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { useRenewal } from './use-renewal.ts'

type Props = { held: HeldSubscription; together: readonly number[]; onClose: () => void }

/** Confirms the cancellation, listing the trackers of the subscription and their end dates. */
export function StopRenewing({ held, together, onClose }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const change = useRenewal(held)
  const devices = useQuery(devicesQuery()).data ?? []
  const now = useNow()
  const untilOf = (end: string | null) => {
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
              <strong>{name}</strong> {untilOf(tracker_status.sub_end_date)}
            </li>
          ))}
      </ul>
      {together.length > 1 && <p>{t('subscriptions.stopTogether')}</p>}
    </ConfirmDialog>
  )
}
