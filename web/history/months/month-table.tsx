import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { DayTotals } from '#contracts/days.ts'
import { regionalTag } from '#web/lib/i18n/format.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { addDays, type Day, midnight } from '#web/lib/period.ts'
import { shadeOf, sumDays, weeksOf } from './compare.ts'
import classes from './months.module.css'

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
const WEEK = [0, 1, 2, 3, 4, 5, 6]
/** A Monday. */
const MONDAY: Day = '2024-01-01'

type Props = { id: number; month: Day; days: ReadonlyMap<Day, DayTotals>; limits: readonly number[] }

/** A month as a calendar, each day shaded by its distance and a link to its history. One tab stop; arrows move between the days. */
export function MonthTable({ id, month, days, limits }: Props) {
  const { i18n } = useTranslation()
  const formats = useFormats()
  const table = useRef<HTMLTableElement>(null)
  const words = useMemo(() => createWords(i18n.language), [i18n.language])
  const weeks = useMemo(() => weeksOf(month), [month])
  const [focused, setFocused] = useState<Day>()
  const own = weeks.flat().flatMap((day) => (day ? (days.get(day) ?? []) : []))
  const stop = focused ?? own.at(-1)?.day
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step === undefined || !focused) return
    event.preventDefault()
    for (let day = addDays(focused, step); day.startsWith(month.slice(0, 8)); day = addDays(day, step)) {
      const link = table.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)
      if (link) return link.focus()
    }
  }
  const cell = (day: Day) => {
    const totals = days.get(day)
    const number = Number(day.slice(8))
    if (!totals) return <span className={classes.none}>{number}</span>
    return (
      <Link
        to={`/trackers/${encodeURIComponent(id)}/history?day=${day}`}
        className={classes.day}
        data-day={day}
        data-shade={shadeOf(totals.meters, limits)}
        tabIndex={day === stop ? 0 : -1}
        aria-label={`${formats.day(midnight(day))}: ${formats.distance(totals.meters)} · ${formats.duration(totals.moving_seconds * 1000)}`}
        title={`${formats.distance(totals.meters)} · ${formats.duration(totals.moving_seconds * 1000)}`}
        onFocus={() => setFocused(day)}
      >
        {number}
      </Link>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that arrows move in is a grid
    <table ref={table} className={classes.month} role="grid" onKeyDown={move}>
      <caption>
        <span>{words.month(midnight(month))}</span> <b>{formats.distance(sumDays(own, month, '9999-12-31').meters)}</b>
      </caption>
      <thead>
        <tr>
          {WEEK.map((later) => (
            <th key={later} scope="col" aria-label={words.weekday(midnight(MONDAY, later))}>
              {words.initial(midnight(MONDAY, later))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week.find((day) => day !== null)}>
            {week.map((day, nth) => (day ? <td key={day}>{cell(day)}</td> : <td key={WEEK[nth]} />))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function createWords(language: string) {
  const locale = regionalTag(language, navigator.languages)
  const create = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, options)
    return (date: Date) => format.format(date)
  }
  return {
    month: create({ month: 'long', year: 'numeric' }),
    weekday: create({ weekday: 'long' }),
    initial: create({ weekday: 'narrow' }),
  }
}

/** The legend of the shades: their distances. */
export function Legend({ limits }: { limits: readonly number[] }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const words = [...limits.map((limit) => `< ${formats.distance(limit)}`), `≥ ${formats.distance(limits.at(-1) ?? 0)}`]
  return (
    <div className={classes.legend}>
      <span>{t('history.months.perDay')}</span>
      <ul>
        {words.map((word, nth) => (
          <li key={word}>
            <i className={classes.swatch} data-shade={nth + 1} aria-hidden="true" />
            {word}
          </li>
        ))}
      </ul>
    </div>
  )
}
