import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HOUR_MS } from '#contracts/rules/time.ts'
import type { PositionColumns } from '#contracts/track/columns.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { startOfDay, useMidnight } from '#web/home/map/today-points.ts'
import { loadChunk } from '#web/lib/chunk.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useTimeSliced } from '#web/lib/time-slices.ts'
import { traceQuery } from '#web/trackers/trackers.queries.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonBlock } from '#web/ui/feedback/skeleton.tsx'
import classes from './activity.module.css'

/** The rules of a day are needed once its positions have arrived; the map is rendered before. */
const loadRules = () => loadChunk(() => import('#web/trackers/day.ts'))
type Rules = Awaited<ReturnType<typeof loadRules>>

/** Today's activity of a tracker; undefined until its card has loaded it. */
export function useToday(id: number) {
  const start = useMidnight()
  const positions = useQuery({ ...traceQuery(id, start), enabled: false }).data
  return useSummary(positions, id, start)
}

/** Loads it, for the part of the card that shows nothing else; undefined until it is computed. */
function useLoadedToday(id: number) {
  const start = useMidnight()
  const positions = useSuspenseQuery(traceQuery(id, start)).data
  return useSummary(positions, id, start)
}

const withoutRules: Rules['legsOf'] = () => ({ read: () => undefined, subscribe: () => () => undefined })

function useSummary(positions: PositionColumns | undefined, id: number, start: string) {
  const [rules, setRules] = useState<Rules>()
  const isNeeded = positions !== undefined
  useEffect(() => {
    if (isNeeded) loadRules().then(setRules, () => undefined)
  }, [isNeeded])
  const legs = useTimeSliced(rules?.legsOf ?? withoutRules, positions, `${id} ${start}`)
  return useMemo(() => legs && rules?.summarizeDay(legs, new Date(start)), [legs, rules, start])
}

type Size = {
  width: number
  height: number
  /** The value at the top of the scale; a higher one raises it. */
  top: number
  /** Number of values that fit in the width; fewer fill it from the left. */
  places: number
}

/** SVG paths of evenly spaced values: the line, and the area under it. */
export const sparkline = (values: readonly number[], { width, height, top, places }: Size) => {
  const [floor, step] = [height - 2, width / places]
  const highest = Math.max(top, ...values)
  const points = values.map((value, index) => `${round((index + 0.5) * step)} ${round(floor - (value / highest) * (height - 4))}`)
  const end = round(Math.max(0, values.length - 0.5) * step)
  const line = `M0 ${floor} L${points.join(' L')}`
  return { line, area: `${line} L${end} ${floor} L${end} ${height} L0 ${height} Z` }
}

const round = (value: number) => Math.round(value * 10) / 10

const WIDTH = 328
const HEIGHT = 46
const HOURS = [0, 6, 12, 18, 24]

const SKELETON = <SkeletonBlock height={88} />

export const Activity = ({ device }: { device: Device }) => (
  <Part key={device.id} skeleton={SKELETON}>
    <Hours id={device.id} />
  </Part>
)

function Hours({ id }: { id: number }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const day = useLoadedToday(id)
  if (!day) return SKELETON
  const isStill = day.movingMs === 0
  const busiest = day.byHour.indexOf(Math.max(...day.byHour))
  const time = formats.time(new Date(startOfDay(now).getTime() + busiest * HOUR_MS))
  const words = isStill ? t('tracker.noMovement') : t('tracker.activityText', { duration: formats.duration(day.movingMs), time })
  const { line, area } = sparkline(day.byHour.slice(0, now.getHours() + 1), { width: WIDTH, height: HEIGHT, top: 40, places: 24 })
  return (
    <figure className={classes.activity}>
      <figcaption className={classes.head}>
        <span>{t(isStill ? 'tracker.noMovement' : 'tracker.activity')}</span>
        {!isStill && <span>{formats.duration(day.movingMs)}</span>}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words}>
        <path d={area} className={classes.area} />
        <path d={line} className={classes.line} vectorEffect="non-scaling-stroke" />
      </svg>
      <div className={classes.axis} aria-hidden="true">
        {HOURS.map((hour) => (
          <span key={hour}>{String(hour).padStart(2, '0')}</span>
        ))}
      </div>
    </figure>
  )
}
