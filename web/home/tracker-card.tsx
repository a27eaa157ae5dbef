import {
  IconBell,
  IconCalendarStats,
  IconClipboardText,
  IconDeviceMobilePlus,
  IconFocus2,
  IconHistory,
  IconMapPin,
  IconSettings,
  IconX,
  type Icon as TablerIcon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { millis } from '#contracts/rules/time.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { loadFinder } from '#web/finder/load-finder.ts'
import { Actions } from '#web/home/details/actions.tsx'
import { Activity } from '#web/home/details/activity.tsx'
import { Facts } from '#web/home/details/facts.tsx'
import { runningBoostEnd } from '#web/home/dialogs/running-boost.ts'
import { useTodayPoints } from '#web/home/map/today-points.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useNow } from '#web/lib/clock.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { modeWords } from '#web/lib/i18n/words.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import { blockReason, canRenew, type DialogName } from '#web/trackers/block-reason.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { RestNote } from '#web/trackers/parts/rest-note.tsx'
import { StateDot } from '#web/trackers/parts/state-dot.tsx'
import { lastContact, trackerState } from '#web/trackers/state.ts'
import { addressWords, stateWords } from '#web/trackers/tracker-words.ts'
import { SkeletonBlock } from '#web/ui/feedback/skeleton.tsx'
import classes from './tracker-card.module.css'

/** Collapsed and below the first screen. */
const Details = lazy(async () => ({ default: (await import('#web/home/details/details.tsx')).Details }))
const BoostStrip = lazy(async () => ({
  default: (await Promise.all([import('#web/home/details/boost-strip.tsx'), loadWords(['trackers'])]))[0].BoostStrip,
}))
const FinderCard = lazy(async () => ({ default: (await loadFinder()).FinderCard }))

type Props = {
  device: Device
  place: string | undefined
  isFollowed: boolean
  follow: (device: Device, on: boolean) => void
  close: () => void
  openDialog: (name: DialogName) => void
}

export function TrackerCard({ device, place, isFollowed, follow, close, openDialog }: Props) {
  const { t } = useTranslation()
  const has = useFeatures()
  const address = addressWords(device)
  const pending = device.tracker_config.pending_mode
  const now = useNow()
  const boost = runningBoostEnd(device.tracker_config, now)
  const theftSince = has('theftReports') && device.theft_since
  const isEnded = has('subscriptions') && canRenew(device, now)
  const mayRenew = useHasRight('buy') && isEnded
  const mayReadFirings = useHasRight('readPlaces') && has('firings')
  const role = useQuery(sessionQuery()).data?.role
  const mayConnect = has('deviceKeys') && role !== undefined && blockReason('phones', device, role, now) === null
  const mayAlert = useHasRight('changePlaces') && has('alerts')
  const why = useId()
  const leadsWithFollow = trackerState(device, now) === 'moving' && !theftSince && !mayRenew
  return (
    <article className={classes.card} aria-label={device.name}>
      <header className={classes.header}>
        <KindDisc of={device} size={50} />
        <div className={classes.who}>
          <h2 tabIndex={-1}>{device.name}</h2>
          <StateLine device={device} />
        </div>
        {!leadsWithFollow && (
          <button
            type="button"
            className={classes.ghost}
            aria-label={t('tracker.follow')}
            title={t('tracker.follow')}
            aria-pressed={isFollowed}
            disabled={!device.tracker_status.last_position}
            onClick={() => follow(device, !isFollowed)}
          >
            <IconFocus2 size={20} />
          </button>
        )}
        <button type="button" className={classes.ghost} aria-label={t('tracker.close')} title={t('tracker.close')} onClick={close}>
          <IconX size={20} />
        </button>
      </header>
      {address && (
        <p className={classes.address}>
          <IconMapPin size={16} aria-hidden="true" />
          <span>
            {place && <strong>{place} · </strong>}
            {address}
          </span>
        </p>
      )}
      <RestNote device={device} className={classes.pending} />
      {pending !== null && (
        <p className={classes.pending} role="status">
          {t('tracker.pending', { mode: modeWords(t, modeLabel(pending)) })}
        </p>
      )}
      {boost && (
        <Suspense fallback={<div className={classes.strip} />}>
          <BoostStrip device={device} />
        </Suspense>
      )}
      <Suspense
        fallback={
          <>
            {theftSince && <div className={classes.strip} />}
            <div className={classes.lead} />
            {device.tracker_status.last_position && <div className={classes.finder} />}
          </>
        }
      >
        <FinderCard
          device={device}
          theftSince={theftSince}
          mayRenew={mayRenew}
          isFollowed={isFollowed}
          onFollow={() => follow(device, !isFollowed)}
          onShare={() => openDialog('share')}
          why={why}
        />
      </Suspense>
      <Actions device={device} onOpen={openDialog} why={why} />
      <Facts device={device} />
      {has('history') && <Activity device={device} />}
      {/* What comes below the details comes with them, so that no link moves away from under a finger. */}
      <Suspense fallback={<DetailBones />}>
        <Details device={device} />
        <div className={classes.links}>
          {mayAlert && <CardLink to={`/alerts/new?tracker=${encodeURIComponent(device.id)}`} Icon={IconBell} label={t('title.alertNew')} />}
          {mayReadFirings && (
            <CardLink to={`/alerts/fired?tracker=${encodeURIComponent(device.id)}`} Icon={IconHistory} label={t('title.alertsFired')} />
          )}
          {has('days') && (
            <CardLink to={`/trackers/${encodeURIComponent(device.id)}/months`} Icon={IconCalendarStats} label={t('title.trackerMonths')} />
          )}
          <CardLink to={`/trackers/${encodeURIComponent(device.id)}/settings`} Icon={IconSettings} label={t('title.trackerSettings')} />
          {mayConnect && (
            <button type="button" className={classes.row} onClick={() => openDialog('phones')}>
              <IconDeviceMobilePlus size={18} aria-hidden="true" />
              <span>{t('tracker.connectPhone')}</span>
            </button>
          )}
          {(has('theft') || has('theftReports')) && (
            <CardLink to={`/app/theft_file?id=${encodeURIComponent(device.id)}`} Icon={IconClipboardText} label={t('title.appTheftFile')} />
          )}
        </div>
      </Suspense>
    </article>
  )
}

/** Placeholders for the names of the rows. */
const DetailBones = () => (
  <div className={classes.details} aria-hidden="true">
    {['25%', '30%', '33%', '40%', '28%'].map((width) => (
      <SkeletonBlock key={width} width={width} height={12} />
    ))}
  </div>
)

function StateLine({ device }: { device: Device }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const heard = lastContact(device)
  const position = device.tracker_status.last_position
  const speed = useSpeed(device)
  const isMoving = trackerState(device, now) === 'moving'
  const parts = [
    stateWords(t, device, now),
    ...(isMoving && speed !== null ? [formats.speed(speed)] : []),
    ...(heard ? [formats.age(heard, now)] : []),
    ...(position ? [t('tracker.accuracy', { distance: formats.meters(position.precision) })] : []),
  ]
  return (
    <p className={classes.state}>
      <StateDot state={trackerState(device, now)} />
      <span className={classes.parts}>
        {parts.map((part, index) => (
          <span key={part}>
            {index > 0 && <i> · </i>}
            {part}
          </span>
        ))}
      </span>
    </p>
  )
}

/** km/h at the last position as the device measured it; null if it did not, or before today's positions have arrived. */
function useSpeed({ id, tracker_status: { last_position } }: Device) {
  const { length, datetime, speed } = useTodayPoints(id)
  const own = speed[length - 1] ?? Number.NaN
  return Number.isNaN(own) || datetime[length - 1] !== millis(last_position?.datetime ?? '') ? null : own
}

const CardLink = ({ to, Icon, label }: { to: string; Icon: TablerIcon; label: string }) => (
  <Link to={to} className={classes.row}>
    <Icon size={18} aria-hidden="true" />
    <span>{label}</span>
  </Link>
)
