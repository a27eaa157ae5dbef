import { IconClockHour4 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { fixAt } from '#contracts/rules/history/fixes.ts'
import { APPROACH_MS, findNextArrival } from '#contracts/rules/tracking/arrival.ts'
import type { PositionColumns } from '#contracts/track/columns.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useSliced } from '#web/lib/slices.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { separatedOf } from '#web/trackers/trace/wrong-positions.ts'
import { traceQuery } from '#web/trackers/trackers.queries.ts'
import classes from './finder-card.module.css'

/** The place that a tracker is heading for, about when it arrives, and how far away it is in a straight line; nothing while that is unclear. */
export function Arrival({ device: { id } }: { device: Device }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const places = useQuery(placesQuery()).data ?? []
  // The card shows today's activity, so they are loaded already.
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString()
  const today = useQuery({ ...traceQuery(id, midnight), enabled: false }).data
  const positions = useSliced(separatedOf, today, `${id}`)?.good
  const next = positions && findNextArrival(listApproach(positions), places, now)
  if (!next) return null
  const words = t('finder.arrives', { place: next.place.name, time: formats.time(next.at) })
  return (
    <p className={classes.arrival}>
      <IconClockHour4 size={16} aria-hidden="true" />
      {`${words} · ${formats.distance(next.meters)}`}
    </p>
  )
}

/** The fixes of the last minutes before the newest one. */
function listApproach(positions: PositionColumns) {
  const { length, datetime } = positions
  const from = (datetime[length - 1] ?? 0) - APPROACH_MS
  let first = length
  while (first > 0 && datetime[first - 1]! >= from) first--
  return Array.from({ length: length - first }, (_, index) => fixAt(positions, first + index))
}
