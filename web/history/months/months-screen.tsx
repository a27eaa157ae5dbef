import {
  IconCalendarOff,
  IconChevronLeft,
  IconChevronRight,
  IconConfetti,
  IconPrinter,
  IconTrendingDown,
  IconTrendingUp,
} from '@tabler/icons-react'
import { useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router-dom'
import type { DayTotals } from '#contracts/days.ts'
import { parseId } from '#contracts/lib/common.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { daysQuery, yearOf } from '#web/history/track/history.queries.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useNow } from '#web/lib/clock.ts'
import { regionalTag } from '#web/lib/i18n/format.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { type Day, midnight, toDay } from '#web/lib/period.ts'
import { UnknownTracker } from '#web/trackers/parts/unknown-tracker.tsx'
import { deviceQuery } from '#web/trackers/trackers.queries.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { Page } from '#web/ui/page.tsx'
import { changeBetween, findBestDay, listMonths, periodsOf, SPANS, shadeLimits, sumDays } from './compare.ts'
import { Legend, MonthTable } from './month-table.tsx'
import classes from './months.module.css'
import { FavouriteWays } from './ways.tsx'

const UsualView = lazy(() => import('./usual-view.tsx'))
const YearReview = lazy(() => import('./year-review.tsx'))

export default function MonthsScreen() {
  const { id } = useParams()
  const device = useSuspenseQuery(deviceQuery(parseId(id))).data
  return device ? <Months key={device.id} device={device} /> : <UnknownTracker />
}

function Months({ device }: { device: Device }) {
  const { t } = useTranslation()
  const today = toDay(useNow())
  const [search] = useSearchParams()
  const year = readYear(search.get('year'), today)
  const years = [...new Set([yearOf(today) - 1, yearOf(today), year])]
  const loaded = useSuspenseQueries({ queries: years.map((each) => daysQuery(device.id, each, today)) })
  const recent = loaded.slice(0, 2).flatMap(({ data }) => data)
  const shown = loaded[years.indexOf(year)]?.data ?? []
  const tracker = `/trackers/${encodeURIComponent(device.id)}`
  const history = `${tracker}/history`
  const print = (
    <button type="button" className={classes.action} onClick={() => window.print()}>
      <IconPrinter size={18} aria-hidden="true" />
      {t('history.months.print')}
    </button>
  )
  const hasUsual = useFeature('normal')
  if (search.get('view') === 'usual' && hasUsual)
    return (
      <Page title={t('normal.title')} back={{ to: `${tracker}/months`, label: t('title.trackerMonths') }}>
        <Part>
          <UsualView device={device} />
        </Part>
      </Page>
    )
  if (search.get('view') === 'review' && shown.length > 0)
    return (
      <Page
        title={t('history.review.heading', { name: device.name, year })}
        back={{ to: `${tracker}/months?year=${year}`, label: t('title.trackerMonths') }}
        actions={print}
      >
        <Suspense>
          <YearReview device={device} year={year} today={today} days={shown} history={history} />
        </Suspense>
      </Page>
    )
  return (
    <Page
      title={t('title.trackerMonths')}
      back={{ to: tracker, label: device.name }}
      actions={
        <>
          <Link className={classes.action} to={history}>
            {t('title.trackerHistory')}
          </Link>
          {hasUsual && (
            <Link className={classes.action} to="?view=usual">
              {t('normal.title')}
            </Link>
          )}
          {print}
        </>
      }
    >
      {recent.length > 0 && <Comparisons days={recent} today={today} />}
      {(recent.length > 0 || year < yearOf(today)) && (
        <YearNav year={year} today={today} hasOlder={shown.length > 0 || year === yearOf(today)} />
      )}
      {shown.length > 0 ? (
        <Year device={device} year={year} today={today} days={shown} history={history} />
      ) : (
        <Empty icon={<IconCalendarOff size={30} />} title={t('history.empty')} />
      )}
    </Page>
  )
}

/** The year in the address, or the current one. */
function readYear(text: string | null, today: Day) {
  const year = /^\d{4}$/.test(text ?? '') ? Number(text) : yearOf(today)
  return year >= 1970 && year <= yearOf(today) ? year : yearOf(today)
}

const BEFORE = { week: 'lastWeek', month: 'lastMonth', year: 'lastYear' } as const

/** This week, month and year, each compared with the previous one up to the same day. */
function Comparisons({ days, today }: { days: readonly DayTotals[]; today: Day }) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <ul className={classes.cards}>
      {SPANS.map((span) => {
        const periods = periodsOf(span, today)
        const [now, before] = [periods.now, periods.before].map(({ from, to }) => sumDays(days, from, to))
        if (!now || !before) return null
        return (
          <li key={span}>
            <h2>{t(`history.months.${span}`)}</h2>
            <p className={classes.big}>
              {formats.distance(now.meters)} <Change share={changeBetween(now, before)} />
            </p>
            {before.days > 0 && <p>{t(`history.months.${BEFORE[span]}`, { distance: formats.distance(before.meters) })}</p>}
            <p>
              {t('history.total.moving')}: {formats.duration(now.movingMs)} · {t('history.months.trips')}: {formats.number(now.trips)}
            </p>
          </li>
        )
      })}
    </ul>
  )
}

function Change({ share }: { share: number | null }) {
  const { i18n } = useTranslation()
  if (share === null) return null
  const locale = regionalTag(i18n.language, navigator.languages)
  const words = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }).format(share)
  return (
    <span className={classes.change}>
      {share > 0 && <IconTrendingUp size={16} aria-hidden="true" />}
      {share < 0 && <IconTrendingDown size={16} aria-hidden="true" />}
      {words}
    </span>
  )
}

function YearNav({ year, today, hasOlder }: { year: number; today: Day; hasOlder: boolean }) {
  const { t } = useTranslation()
  const step = (to: number, isOpen: boolean, label: string, Icon: typeof IconChevronLeft) =>
    isOpen ? (
      <Link to={`?year=${to}`} replace className={classes.step} aria-label={label} title={label}>
        <Icon size={18} aria-hidden="true" />
      </Link>
    ) : (
      <span className={classes.step} />
    )
  return (
    <div className={classes.nav}>
      {step(year - 1, hasOlder, t('calendar.previousYear'), IconChevronLeft)}
      <h2>{year}</h2>
      {step(year + 1, year < yearOf(today), t('calendar.nextYear'), IconChevronRight)}
    </div>
  )
}

type YearProps = { device: Device; year: number; today: Day; days: readonly DayTotals[]; history: string }

function Year({ device, year, today, days, history }: YearProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const sums = sumDays(days, '0000-01-01', '9999-12-31')
  const best = findBestDay(days)
  const limits = shadeLimits(days)
  const byDay = new Map(days.map((each) => [each.day, each]))
  const facts: [label: string, value: string][] = [
    [t('history.total.distance'), formats.distance(sums.meters)],
    [t('history.total.moving'), formats.duration(sums.movingMs)],
    [t('history.months.trips'), formats.number(sums.trips)],
    [t('history.total.topSpeed'), formats.speed(days.reduce((most, { top_speed }) => Math.max(most, top_speed), 0))],
  ]
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {best && (
          <div>
            <dt>{t('history.months.bestDay')}</dt>
            <dd>
              <Link to={`${history}?day=${best.day}`}>{formats.shortDay(midnight(best.day))}</Link> {formats.distance(best.meters)}
            </dd>
          </div>
        )}
      </dl>
      <Link to={`?year=${year}&view=review`} className={`${classes.action} ${classes.review}`}>
        <IconConfetti size={18} aria-hidden="true" />
        {t('history.review.open')}
      </Link>
      <FavouriteWays id={device.id} year={year} today={today} history={history} />
      {best && <Legend limits={limits} />}
      <div className={classes.months}>
        {listMonths(days).map((month) => (
          <MonthTable key={month} id={device.id} month={month} days={byDay} limits={limits} />
        ))}
      </div>
    </>
  )
}
