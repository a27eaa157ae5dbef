import { IconCalendarOff, IconCalendarStats, IconCalendarX, IconChevronLeft, IconDownload, IconHistoryOff } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { HISTORY_MAX_DAYS } from '#contracts/positions.ts'
import { millis } from '#contracts/rules/time.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { DataTools } from '#web/history/data/data-tools.tsx'
import { DayNav } from '#web/history/days/day-nav.tsx'
import { exportFileName } from '#web/history/track/track-words.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { saveFile } from '#web/lib/api/download.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature, useFeatures } from '#web/lib/other-backends/features.ts'
import { type Bounds, type Day, midnight, type Period, periodBounds, toDay } from '#web/lib/period.ts'
import { retentionQuery } from '#web/signed-in/retention.queries.ts'
import { RestNote } from '#web/trackers/parts/rest-note.tsx'
import { positionsApi } from '#web/trackers/trace/positions.api.ts'
import { Empty, Notice, NoticeButton } from '#web/ui/feedback/notice.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import classes from './panel.module.css'

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
        <RestNote device={device} className={classes.note} isLinked />
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

/** Downloads the positions of the period as CSV; an empty period gives only the header row. */
function ExportButton({ device, period }: { device: Device; period: Period }) {
  const { t } = useTranslation()
  const exporting = useMutation({
    mutationFn: async () => {
      const { start, end } = periodBounds(period)
      const query = { not_before: new Date(start).toISOString(), not_after: new Date(end - 1).toISOString() }
      const bytes = await positionsApi.exportCsv({ params: { id: device.id }, query })
      saveFile(bytes, exportFileName(device.name, period.from, period.to), 'text/csv;charset=utf-8')
    },
  })
  const isShown = exporting.error && !(exporting.error instanceof ApiError && exporting.error.isLeaving)
  return (
    <div className={classes.exportFoot}>
      <button type="button" className={classes.button} disabled={exporting.isPending} onClick={() => exporting.mutate()}>
        <IconDownload size={18} aria-hidden="true" />
        {t('history.export')}
      </button>
      <FormAlert>{isShown ? t('error.general') : null}</FormAlert>
    </div>
  )
}
