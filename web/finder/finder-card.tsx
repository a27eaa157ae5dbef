import { IconBell, IconCompass, IconCopy, IconCurrentLocation, IconRoute, IconShieldExclamation } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { distanceMeters } from '#contracts/rules/geo/coordinates.ts'
import type { Device, Position } from '#contracts/trackers/devices.ts'
import { availableAction } from '#web/billing/offer.ts'
import { useFeatures } from '#web/lib/api/features.ts'
import { useNow } from '#web/lib/clock.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { useHasRight } from '#web/signed-in/use-has-right.ts'
import { Arrival } from './arrival.tsx'
import { Compass } from './compass.tsx'
import { askForCompass } from './compass-heading.ts'
import classes from './finder-card.module.css'
import { formatCoordinates, mapsLink } from './maps-link.ts'
import { locateMe, useMyPosition } from './my-position.ts'
import { RenewLink } from './renew-link.tsx'
import { wayWords } from './way-there.ts'

/** Nearer than this, in metres, an arrow helps more than a map. */
const NEAR_METERS = 200

/** On the card of a tracker: its open theft report, what leads to it, and the way back to a subscription. */
export function FinderCard({ device }: { device: Device }) {
  const at = device.tracker_status.last_position
  const has = useFeatures()
  const mayBuy = useHasRight('buy') && has('subscriptions')
  const isEnded = availableAction(device, useNow()) === 'renew'
  return (
    <>
      <TheftStrip device={device} />
      {at && <Arrival device={device} />}
      {at && <WayThere device={device} at={at} />}
      {mayBuy && isEnded && <RenewLink device={device} />}
    </>
  )
}

function TheftStrip({ device: { id, theft_since } }: { device: Device }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const has = useFeatures()
  if (!theft_since || !has('theftReports')) return null
  return (
    <Link to={`/app/theft_file?id=${encodeURIComponent(id)}`} className={classes.theft}>
      <IconShieldExclamation size={18} aria-hidden="true" />
      <span>{t('finder.theft', { date: formats.date(theft_since) })}</span>
      <strong>{t('finder.openFile')}</strong>
    </Link>
  )
}

function WayThere({ device, at }: { device: Device; at: Position }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const has = useFeatures()
  const mayAlert = useHasRight('changePlaces') && has('alerts')
  const { isWanted, fix } = useMyPosition()
  const [isCompass, setCompass] = useState<'allowed' | 'refused' | null>(null)
  const isNear = fix !== null && distanceMeters(fix, at) < NEAR_METERS
  return (
    <div className={classes.way}>
      {fix ? (
        <p role="status">{wayWords(t, formats, fix, at)}</p>
      ) : (
        <button type="button" className={classes.ask} onClick={locateMe} disabled={isWanted}>
          <IconCurrentLocation size={16} aria-hidden="true" />
          {t(isWanted ? 'finder.locating' : 'finder.distance')}
        </button>
      )}
      <div className={classes.tools}>
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
        <a href={mapsLink(at, device.name)} target="_blank" rel="noreferrer">
          <IconRoute size={18} aria-hidden="true" />
          {t('finder.route')}
        </a>
        <button
          type="button"
          aria-label={t('finder.copy')}
          title={t('finder.copy')}
          onClick={async () => (await copyText(formatCoordinates(at))) && showToast(t('links.copied'))}
        >
          <IconCopy size={18} aria-hidden="true" />
        </button>
        {mayAlert && (
          <Link to={`/alerts/new?tracker=${encodeURIComponent(device.id)}`} aria-label={t('title.alertNew')} title={t('title.alertNew')}>
            <IconBell size={18} aria-hidden="true" />
          </Link>
        )}
      </div>
      {isCompass && fix && (
        <Compass device={device} me={fix} at={at} isAllowed={isCompass === 'allowed'} onClose={() => setCompass(null)} />
      )}
    </div>
  )
}
