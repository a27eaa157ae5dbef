import { IconCalendarOff, IconCalendarStats, IconCalendarX, IconChevronLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { HISTORY_MAX_DAYS } from '#contracts/lib/constants.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { DataTools } from '#web/history/data/data-tools.tsx'
import { DayNav } from '#web/history/days/day-nav.tsx'
import { type Bounds, type Day, midnight, type Period, toDay } from '#web/history/track/period.ts'
import { useFeature, useFeatures } from '#web/lib/api/features.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { Empty, Notice, NoticeButton } from '#web/ui/feedback/notice.tsx'
import { ExportButton } from './export-button.tsx'
import classes from './panel.module.css'
import { RemovedNote } from './removed-note.tsx'

type Props = {
  device: Device
  /** Null when the address has no valid period. */
  period: Period | null
  /** The chosen trip, or null. */
  trip: Bounds | null
  today: Day
  show: (period: Period) => void
  isSheet: boolean
  raise?: (() => void) | undefined
  children: ReactNode
}

export function Panel({ device, period, trip, today, show, isSheet, raise, children }: Props) {
  const { t } = useTranslation()
  const has = useFeatures()
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
          {has('days') && (
            <Link to={`/trackers/${encodeURIComponent(device.id)}/months`} className={classes.months}>
              <IconCalendarStats size={16} aria-hidden="true" />
              {t('title.trackerMonths')}
            </Link>
          )}
        </header>
        {has('history') && <DayNav id={device.id} period={period} today={today} show={show} onOpen={raise} />}
        {period && has('retention') && <RemovedNote period={period} />}
        {period ? children : <InvalidPeriod />}
      </div>
      {period && has('history') && (
        <div className={classes.foot}>
          {has('exportCsv') && <ExportButton device={device} period={period} />}
          <DataTools device={device} period={period} trip={trip} />
        </div>
      )}
    </div>
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
