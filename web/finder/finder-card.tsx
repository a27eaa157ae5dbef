import { IconClockHour4, IconCompass, IconCopy, IconCurrentLocation, IconRoute, IconShieldExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { distanceMeters } from '#contracts/rules/geo/coordinates.ts'
import { fixAt } from '#contracts/rules/history/fixes.ts'
import type { Instant } from '#contracts/rules/time.ts'
import { APPROACH_MS, findNextArrival } from '#contracts/rules/tracking/arrival.ts'
import type { PositionColumns } from '#contracts/track/columns.ts'
import type { Device, Position } from '#contracts/trackers/devices.ts'
import { useNow } from '#web/lib/clock.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useTimeSliced } from '#web/lib/time-slices.ts'
import { showToast } from '#web/lib/toasts.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { separatedOf } from '#web/trackers/trace/wrong-positions.ts'
import { traceQuery } from '#web/trackers/trackers.queries.tsx'
import { askForCompass, Compass } from './compass.tsx'
import classes from './finder-card.module.css'
import { FinderMap } from './finder-map.tsx'
import { Lead, type LeadProps, leadOf } from './lead.tsx'
import { formatCoordinates, mapsLink } from './maps-link.ts'
import { locateMe, useMyPosition, wayWords } from './my-position.ts'

/** Nearer than this, in metres, an arrow helps more than a map. */
const NEAR_METERS = 200

type Props = LeadProps & {
  /** When the open theft report was created. */
  theftSince: Instant | false | null | undefined
}

/** On the card of a tracker: its open theft report, what its state needs first, and the tools to find it. */
function FinderCard({ theftSince, ...props }: Props) {
  const { device } = props
  const at = device.tracker_status.last_position
  const lead = leadOf(device, { mayRenew: props.mayRenew, isStolen: Boolean(theftSince), now: useNow() })
  return (
    <>
      {theftSince && <TheftStrip device={device} since={theftSince} />}
      {at && <Arrival device={device} />}
      <Lead {...props} lead={lead} />
      {at && <WayThere device={device} at={at} isLed={lead === 'find'} hasRoute={lead === 'route'} />}
    </>
  )
}

function TheftStrip({ device: { id }, since }: { device: Device; since: Instant }) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <Link to={`/app/theft_file?id=${encodeURIComponent(id)}`} className={classes.theft}>
      <IconShieldExclamation size={18} aria-hidden="true" />
      <span>{t('finder.theft', { date: formats.date(since) })}</span>
      <strong>{t('finder.openFile')}</strong>
    </Link>
  )
}

type WayProps = {
  device: Device
  at: Position
  /** Whether the buttons above ask for the user's position, or open directions. */
  isLed: boolean
  hasRoute: boolean
}

function WayThere({ device, at, isLed, hasRoute }: WayProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { isWanted, fix } = useMyPosition()
  const [isCompass, setCompass] = useState<'allowed' | 'refused' | null>(null)
  const isWide = isLed && !fix
  const isNear = fix !== null && distanceMeters(fix, at) < NEAR_METERS
  return (
    <div className={classes.way}>
      {fix && (
        <p role="status">
          <button type="button" className={classes.ask} title={t('finder.showBoth')} onClick={locateMe}>
            <IconCurrentLocation size={16} aria-hidden="true" />
            {wayWords(t, formats, fix, at)}
          </button>
        </p>
      )}
      {!fix && !isWide && (
        <button type="button" className={classes.ask} onClick={locateMe} disabled={isWanted}>
          <IconCurrentLocation size={16} aria-hidden="true" />
          {t(isWanted ? 'finder.locating' : 'finder.distance')}
        </button>
      )}
      <div className={classes.tools} data-wide={isWide || undefined}>
        {isNear && (
          <button
            type="button"
            className={classes.strong}
            onClick={async () => setCompass((await askForCompass()) ? 'allowed' : 'refused')}
          >
            <IconCompass size={18} aria-hidden="true" />
            {t('finder.compass')}
          </button>
        )}
        {!hasRoute && (
          <a
            href={mapsLink(at, device.name)}
            target="_blank"
            rel="noreferrer"
            aria-label={isWide ? undefined : t('finder.route')}
            title={isWide ? undefined : t('finder.route')}
          >
            <IconRoute size={18} aria-hidden="true" />
            {isWide && t('finder.route')}
          </a>
        )}
        <button
          type="button"
          aria-label={t('finder.copy')}
          title={t('finder.copy')}
          onClick={async () => (await copyText(formatCoordinates(at))) && showToast(t('links.copied'))}
        >
          <IconCopy size={18} aria-hidden="true" />
        </button>
      </div>
      {isCompass && fix && (
        <Compass device={device} me={fix} at={at} isAllowed={isCompass === 'allowed'} onClose={() => setCompass(null)} />
      )}
    </div>
  )
}

/** The place that a tracker is heading for, about when it arrives, and how far away it is in a straight line; nothing while that is unclear. */
function Arrival({ device: { id } }: { device: Device }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const places = useQuery(placesQuery()).data ?? []
  // The card shows today's activity, so the positions are already loaded.
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString()
  const today = useQuery({ ...traceQuery(id, midnight), enabled: false }).data
  const positions = useTimeSliced(separatedOf, today, `${id}`)?.good
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

/** The fixes of the minutes before the newest one. */
function listApproach(positions: PositionColumns) {
  const { length, datetime } = positions
  const from = (datetime[length - 1] ?? 0) - APPROACH_MS
  let first = length
  while (first > 0 && datetime[first - 1]! >= from) first--
  return Array.from({ length: length - first }, (_, index) => fixAt(positions, first + index))
}

/** The tools to find a tracker, as one chunk that the map loads once a tracker is chosen or the user requests their own position. */
export const finder = { FinderCard, FinderMap }
