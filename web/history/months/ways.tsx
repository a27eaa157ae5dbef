import { Button } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Way, WayList } from '#contracts/days.ts'
import type { Place } from '#contracts/places.ts'
import { findContainingPlace } from '#contracts/rules/geo/place.ts'
import { waysQuery } from '#web/history/track/history.queries.ts'
import { shortAddress } from '#web/history/track/track-words.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { type Day, midnight, toDay } from '#web/lib/period.ts'
import { usePlaces } from '#web/places/places.queries.ts'
import classes from './ways.module.css'

const NO_WAYS: Pick<WayList, 'ways' | 'destinations'> = { ways: [], destinations: [] }
/** The number of routes shown before the user expands the list. */
const FIRST = 6

/** The favourite routes of a year; none while they load, and if the backend has none. */
export function useWays(id: number, year: number, today: Day) {
  const enabled = useFeature('ways')
  return useQuery({ ...waysQuery(id, year, today), enabled }).data ?? NO_WAYS
}

type Spot = Way['from']

/** The name of the place that contains a point, or its street and number. */
export const spotName = (places: readonly Place[], spot: Spot) => findContainingPlace(places, spot)?.name ?? shortAddress(spot.address)

/** "Home to Office", "Round from Home by Rambla 12". */
export function wayName(t: TFunction, { from, to, farthest, round }: Way, nameOf: (spot: Spot) => string | null | undefined) {
  const [start, end, far] = [from, to, farthest].map(nameOf)
  if (!start) return null
  if (!round && start !== end) return end ? t('history.ways.fromTo', { from: start, to: end }) : null
  return far && far !== start ? t('history.ways.roundBy', { from: start, by: far }) : t('history.ways.round', { from: start })
}

export function FavouriteWays({ id, year, today, history }: { id: number; year: number; today: Day; history: string }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const places = usePlaces()
  const { ways } = useWays(id, year, today)
  const [isAll, setAll] = useState(false)
  if (ways.length === 0) return null
  return (
    <section className={classes.ways} aria-labelledby="favourite-ways">
      <h2 id="favourite-ways">{t('history.ways.heading')}</h2>
      <p>{t('history.ways.lead')}</p>
      <ul>
        {ways.slice(0, isAll ? ways.length : FIRST).map((way) => (
          <li key={`${way.last} ${way.meters}`}>
            <Link to={`${history}?day=${toDay(way.last)}&trip=${Date.parse(way.last)}`} className={classes.way}>
              <WaySketch way={way} />
              <span>
                <b>{wayName(t, way, (spot) => spotName(places, spot)) ?? t('history.ways.unnamed')}</b>
                <small>
                  {t('history.ways.times', { count: way.trips })} · {formats.distance(way.meters)} · {formats.duration(way.seconds * 1000)}
                </small>
                <small>{t('history.ways.last', { day: formats.shortDay(midnight(toDay(way.last))) })}</small>
              </span>
              <IconChevronRight size={18} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
      {!isAll && ways.length > FIRST && (
        <Button variant="default" h={44} onClick={() => setAll(true)}>
          {t('history.points.more')}
        </Button>
      )}
    </section>
  )
}

/** Units of the sketch, and its margin. */
const SIZE = 100
const MARGIN = 12

/** The line of a route, north up, with a ring at its start and a disc at its end. */
export function WaySketch({ way: { points, round } }: { way: Pick<Way, 'points' | 'round'> }) {
  const [first] = points
  if (!first) return null
  const stretch = Math.cos((first.lat * Math.PI) / 180)
  const flat = points
    .map(({ lat, lng }) => ({ x: ((lng - first.lng + 540) % 360) - 180, y: -lat }))
    .map(({ x, y }) => ({ x: x * stretch, y }))
  const [left, top] = [Math.min(...flat.map(({ x }) => x)), Math.min(...flat.map(({ y }) => y))]
  const [width, height] = [Math.max(...flat.map(({ x }) => x)) - left, Math.max(...flat.map(({ y }) => y)) - top]
  const scale = (SIZE - 2 * MARGIN) / Math.max(width, height, 1e-9)
  const at = ({ x, y }: { x: number; y: number }) => ({
    x: (SIZE - width * scale) / 2 + (x - left) * scale,
    y: (SIZE - height * scale) / 2 + (y - top) * scale,
  })
  const drawn = flat.map(at)
  const [start, end] = [drawn[0]!, drawn.at(-1)!]
  const line = `M${drawn.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}${round ? 'Z' : ''}`
  return (
    <svg className={classes.sketch} viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true">
      <path d={line} />
      <circle cx={start.x} cy={start.y} r="7" />
      {!round && <circle cx={end.x} cy={end.y} r="8" data-end />}
    </svg>
  )
}
