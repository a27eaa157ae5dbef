import { IconCalendarOff, IconCalendarStats, IconCalendarX, IconChevronLeft, IconDownload, IconHistoryOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { HISTORY_MAX_DAYS } from '#contracts/limits/history-limits.ts'
import { millis } from '#contracts/rules/time.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { DayNav, type ShowPeriod } from '#web/history/days/day-nav.tsx'
import { lazy } from '#web/lib/chunk.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature, useFeatures } from '#web/lib/other-backends/features.ts'
import { type Bounds, type Day, midnight, type Period, periodBounds, toDay } from '#web/lib/period.ts'
import { retentionQuery } from '#web/signed-in/retention.queries.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { RestNote } from '#web/trackers/parts/rest-note.tsx'
import { Empty, Notice, NoticeButton } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import classes from './panel.module.css'

const DataTools = lazy(async () => ({ default: (await import('#web/history/data/data-tools.tsx')).DataTools }))

type Props = {
  device: Device
  /** Null when the address has no valid period. */
  period: Period | null
  /** The chosen trip, or null. */
  trip: Bounds | null
  today: Day
  show: ShowPeriod
  isSheet: boolean
  raise?: (() => void) | undefined
  children: ReactNode
}

export function Panel({ device, period, trip, today, show, isSheet, raise, children }: Props) {
  const { t } = useTranslation()
  const has = useFeatures()
  const [hasTools, setTools] = useState(false)
  return (
    <div className={classes.panel} data-sheet={isSheet || undefined}>
      <div className={classes.body}>
        <header className={classes.head}>
          <Link
            to={`/trackers/${encodeURIComponent(device.id)}`}
            className={classes.back}
            aria-label={t('history.backTo', { name: device.name })}
          >
            <IconChevronLeft size={16} aria-hidden="true" />
            <span>{device.name}</span>
          </Link>
          <h1>{t('title.trackerHistory')}</h1>
          <span className={classes.links}>
            {has('days') && (
              <Link to={`/trackers/${encodeURIComponent(device.id)}/months`} className={classes.months}>
                <IconCalendarStats size={16} aria-hidden="true" />
                {t('title.trackerMonths')}
              </Link>
            )}
            {period && has('history') && <DataButton isOpen={hasTools} onClick={() => setTools(!hasTools)} />}
          </span>
        </header>
        {period && hasTools && (
          <Suspense fallback={<SkeletonRows count={2} />}>
            <DataTools device={device} period={period} trip={trip} today={today} />
          </Suspense>
        )}
        {has('history') && <DayNav id={device.id} period={period} today={today} show={show} onOpen={raise} />}
        <RestNote device={device} className={classes.note} isLinked />
        {period && has('retention') && <RemovedNote period={period} />}
        {period ? children : <InvalidPeriod />}
      </div>
    </div>
  )
}

/** Opens the exports and the import, where the backend or the user's rights allow any. */
function DataButton({ isOpen, onClick }: { isOpen: boolean; onClick: () => void }) {
  const { t } = useTranslation()
  const has = useFeatures()
  const mayChange = useHasRight('changeTrackers')
  if (!has('exportCsv') && !has('export') && !(has('import') && mayChange)) return null
  return (
    <button
      type="button"
      className={classes.tools}
      aria-expanded={isOpen}
      aria-label={t('history.data.open')}
      title={t('history.data.open')}
      onClick={onClick}
    >
      <IconDownload size={20} aria-hidden="true" />
    </button>
  )
}

function InvalidPeriod() {
  const { t } = useTranslation()
  return (
    <Notice role="alert" icon={<IconCalendarX size={30} />} title={t('history.invalidHeading')}>
      {t('history.invalid', { days: HISTORY_MAX_DAYS })}
    </Notice>
  )
}

export function NoData({ device, period, show }: Pick<Props, 'device' | 'show'> & { period: Period }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const last = device.tracker_status.last_position
  const day = last && toDay(last.datetime)
  const hasHistory = useFeature('history')
  const isElsewhere = hasHistory && day !== null && (day < period.from || day > period.to)
  return (
    <div role="status">
      <Empty
        icon={<IconCalendarOff size={30} />}
        title={t('history.empty')}
        action={
          isElsewhere && (
            <NoticeButton onClick={() => show({ from: day, to: day })}>
              {t('history.lastDay', { day: formats.shortDay(midnight(day)) })}
            </NoticeButton>
          )
        }
      />
    </div>
  )
}

/** Shows that positions of the period were removed because of the owner's retention setting. */
function RemovedNote({ period }: { period: Period }) {
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
