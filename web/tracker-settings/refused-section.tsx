import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FIX_FAULTS, REFUSAL_REASONS } from '#contracts/rules/tracking/fix.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { positionsApi } from '#web/trackers/trace/positions.api.ts'
import classes from './settings.module.css'

const refusedQuery = (id: number) =>
  queryOptions({ queryKey: ['refusedPositions', id], queryFn: ({ signal }) => positionsApi.refused({ params: { id } }, { signal }) })

/** The tracker's rejected positions, because of their time or without a satellite fix. Absent without any. */
export function RefusedSection({ device }: { device: number }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const refused = useQuery({ ...refusedQuery(device), enabled: useFeature('refusedPositions') }).data
  if (!refused || refused.length === 0) return null
  const hasWrongTime = refused.some(({ reason }) => FIX_FAULTS.some((each) => each === reason))
  return (
    <section className={classes.card} aria-label={t('settings.refused.heading')}>
      <h2>{t('settings.refused.heading')}</h2>
      {hasWrongTime && <p className={classes.why}>{t('settings.refused.lead')}</p>}
      {refused.map(({ reason, count, last_at, last_datetime }) => {
        const known = REFUSAL_REASONS.find((each) => each === reason)
        const values = { number: formats.number(count), at: formats.dateTime(last_at), time: formats.dateTime(last_datetime) }
        return known && <p key={reason}>{t(`settings.refused.${known}`, values)}</p>
      })}
    </section>
  )
}
