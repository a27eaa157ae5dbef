import { IconChevronDown, IconMapPin } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Place } from '#contracts/places.ts'
import { computeTotals } from '#contracts/rules/history/trips.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { historyQuery } from '#web/history/track/history.queries.ts'
import { summarizeHeights } from '#web/history/track/measured.ts'
import { type Track, timeAtPlaces } from '#web/history/track/track.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { type Day, midnight, type Period, weekAround } from '#web/lib/period.ts'
import { useTimeSlicedEach } from '#web/lib/time-slices.ts'
import { PlaceIcon } from '#web/places/place-icon.tsx'
import { legsOf } from '#web/trackers/day.ts'
import disclosure from '#web/ui/disclosure.module.css'
import { BarList } from '#web/ui/lists/bar-list.tsx'
import classes from './totals.module.css'

export function Totals({ track }: { track: Track }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { meters, movingMs, stops, longestStopMs } = useMemo(() => computeTotals(track.legs), [track])
  const topKmh = track.legs.reduce((most, { topSpeedKmh }) => Math.max(most, topSpeedKmh), 0)
  const heights = useMemo(() => summarizeHeights(track), [track])
  const facts: [label: string, value: string][] = [
    [t('history.total.distance'), formats.distance(meters)],
    [t('history.total.moving'), formats.duration(movingMs)],
    [t('history.total.topSpeed'), formats.speed(topKmh)],
    [t('history.total.stops'), formats.number(stops)],
    [t('history.total.longestStop'), formats.duration(longestStopMs)],
    [t('history.total.points'), formats.number(track.positions.length)],
  ]
  if (heights)
    facts.push([t('history.total.highest'), formats.meters(heights.highest)], [t('history.total.climb'), formats.meters(heights.climb)])
  // On narrow windows the list scrolls sideways, also by keys.
  return (
    <dl className={classes.totals} tabIndex={0}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Time spent at each place; nothing for an account without places. */
export function PlaceBars({ track, places }: { track: Track; places: readonly Place[] }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const stays = useMemo(() => timeAtPlaces(track, places), [track, places])
  const longest = stays[0]?.ms ?? 0
  if (places.length === 0 || longest === 0) return null
  return (
    <Section title={t('history.places')} isOpen>
      <BarList
        label={t('history.places')}
        bars={stays.map(({ place, ms }) => ({
          key: String(place?.id),
          label: (
            <>
              {place ? <PlaceIcon type={place.type} size={16} /> : <IconMapPin size={16} aria-hidden="true" />}
              {place?.name ?? t('history.elsewhere')}
            </>
          ),
          share: ms / longest,
          value: formats.duration(ms),
        }))}
      />
    </Section>
  )
}

type Props = { device: Device; period: Period; today: Day; show: (period: Period) => void }

export function WeekBars(props: Props) {
  const { t } = useTranslation()
  return (
    <Section title={t('history.week')}>
      <Days {...props} />
    </Section>
  )
}

/**
 * Each day is queried as its own history, so it is already cached when the user picks it. No suspense: a failed day shows an error at its
 * own bar.
 */
function Days({ device, period, today, show }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const week = weekAround(period.to, today)
  const histories = useQueries({ queries: week.map((day) => historyQuery(device.id, { from: day, to: day }, today)) })
  const legs = useTimeSlicedEach(
    legsOf,
    histories.map(({ data }) => data),
  )
  const days = histories.map(({ data, isError }, index) => {
    const own = legs[index]
    return { isError, data: data?.length === 0 ? null : own && computeTotals(own) }
  })
  const most = Math.max(1, ...days.map(({ data }) => data?.movingMs ?? 0))
  const words = ({ data, isError }: (typeof days)[number]) => {
    if (isError) return t('error.load')
    if (data) return `${formats.duration(data.movingMs)} · ${formats.distance(data.meters)}`
    return data === null ? t('history.noData') : '…'
  }
  return (
    <BarList
      label={t('history.week')}
      bars={week.map((day, index) => {
        const known = days[index]
        return {
          key: day,
          label: formats.shortDay(midnight(day)),
          share: (known?.data?.movingMs ?? 0) / most,
          value: known ? words(known) : '',
          isChosen: period.from === day && period.to === day,
          onChoose: () => show({ from: day, to: day }),
        }
      })}
    />
  )
}

/** A collapsible part of the panel; its content is mounted only while open. */
function Section({ title, isOpen: opensAtOnce = false, children }: { title: string; isOpen?: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(opensAtOnce)
  return (
    <details
      className={`${disclosure.disclosure} ${classes.section}`}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {title}
        <IconChevronDown size={16} aria-hidden="true" />
      </summary>
      {isOpen && children}
    </details>
  )
}
