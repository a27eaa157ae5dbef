import { IconHistoryOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { millis } from '#contracts/rules/time.ts'
import { type Period, periodBounds } from '#web/history/track/period.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { retentionQuery } from '#web/signed-in/retention.queries.ts'
import classes from './removed-note.module.css'

/** Says that positions of the period were removed because the owner wanted no older ones. */
export function RemovedNote({ period }: { period: Period }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const before = useQuery({ ...retentionQuery(), throwOnError: false }).data?.removed_before
  if (!before || periodBounds(period).start >= millis(before)) return null
  return (
    <p className={classes.note} role="status">
      <IconHistoryOff size={18} aria-hidden="true" />
      {t('history.removed', { day: formats.date(before) })}
    </p>
  )
}
