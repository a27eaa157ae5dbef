import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { computeTotals } from '#contracts/rules/tracking/trips.ts'
import type { Track } from '#web/history/track/track.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import classes from './totals.module.css'

export function Totals({ track }: { track: Track }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { meters, movingMs, stops, longestStopMs } = useMemo(() => computeTotals(track.legs), [track])
  const topKmh = Math.max(0, ...track.legs.map(({ topSpeedKmh }) => topSpeedKmh))
  const facts = [
    [t('history.total.distance'), formats.distance(meters)],
    [t('history.total.moving'), formats.duration(movingMs)],
    [t('history.total.topSpeed'), formats.speed(topKmh)],
    [t('history.total.stops'), formats.number(stops)],
    [t('history.total.longestStop'), formats.duration(longestStopMs)],
    [t('history.total.points'), formats.number(track.points.length)],
  ]
  return (
    <dl className={classes.totals}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
