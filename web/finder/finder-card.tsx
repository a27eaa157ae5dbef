import { Button } from '@mantine/core'
import { IconBell, IconClockHour4, IconCompass, IconCopy, IconCurrentLocation, IconRoute, IconShieldExclamation } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { distanceMeters } from '#contracts/rules/geo/coordinates.ts'
import { fixAt } from '#contracts/rules/history/fixes.ts'
import { monthlyPrice } from '#contracts/rules/price.ts'
import type { Instant } from '#contracts/rules/time.ts'
import { APPROACH_MS, findNextArrival } from '#contracts/rules/tracking/arrival.ts'
import type { PositionColumns } from '#contracts/track/columns.ts'
import type { Device, Position } from '#contracts/trackers/devices.ts'
import { pricesQuery } from '#web/billing/billing.queries.ts'
import { buildOffer, priceTerm } from '#web/billing/offer.ts'
import { useNow } from '#web/lib/clock.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { useTimeSliced } from '#web/lib/time-slices.ts'
import { showToast } from '#web/lib/toasts.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { settingsQuery } from '#web/signed-in/account.queries.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { separatedOf } from '#web/trackers/trace/wrong-positions.ts'
import { traceQuery } from '#web/trackers/trackers.queries.tsx'
import { askForCompass, Compass } from './compass.tsx'
import classes from './finder-card.module.css'
import { FinderMap } from './finder-map.tsx'
import { formatCoordinates, mapsLink } from './maps-link.ts'
import { locateMe, useMyPosition, wayWords } from './my-position.ts'

/** Nearer than this, in metres, an arrow helps more than a map. */
const NEAR_METERS = 200

type Props = {
  device: Device
  /** When the open theft report was created. */
  theftSince: Instant | false | null | undefined
  mayRenew: boolean
}

/** On the card of a tracker: its open theft report, the tools to find it, and a link to renew its subscription. */
function FinderCard({ device, theftSince, mayRenew }: Props) {
  const at = device.tracker_status.last_position
  return (
    <>
      {theftSince && <TheftStrip device={device} since={theftSince} />}
      {at && <Arrival device={device} />}
      {at && <WayThere device={device} at={at} />}
      {mayRenew && <RenewLink device={device} />}
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
        <p role="status">
          <button type="button" className={classes.ask} title={t('finder.showBoth')} onClick={locateMe}>
            <IconCurrentLocation size={16} aria-hidden="true" />
            {wayWords(t, formats, fix, at)}
          </button>
        </p>
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

/** Links to the plans of a tracker whose subscription has ended, with the lowest price per month once the prices are loaded. */
function RenewLink({ device }: { device: Device }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const [prices, settings] = useQueries({ queries: [pricesQuery(), settingsQuery()] })
  const { plans } = buildOffer(prices.data ?? [], settings.data?.currency ?? '')
  const monthly = plans.flatMap((plan) => monthlyPrice(plan.unit_amount, priceTerm(plan).months) ?? [])
  const price = plans[0] && monthly.length > 0 && formats.price(Math.min(...monthly), plans[0].currency)
  return (
    <Button component={Link} to={`/subscription?devices=${encodeURIComponent(device.id)}`} h={44} mt={10} fullWidth>
      {price ? t('finder.renewFrom', { price }) : t('finder.renew')}
    </Button>
  )
}

/** The tools to find a tracker, as one chunk that the map loads once a tracker is chosen or the user requests their own position. */
export const finder = { FinderCard, FinderMap }
