import { IconFocus2, IconMapPinSearch, IconRoute, IconShare2 } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { monthlyPrice } from '#contracts/rules/price.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { pricesQuery } from '#web/billing/billing.queries.ts'
import { buildOffer, priceTerm } from '#web/billing/offer.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { settingsQuery } from '#web/signed-in/account.queries.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { blockReason } from '#web/trackers/block-reason.ts'
import { trackerState } from '#web/trackers/state.ts'
import classes from './lead.module.css'
import { mapsLink } from './maps-link.ts'
import { locateMe, useMyPosition } from './my-position.ts'

/** What the state of a tracker needs first; null for a tracker without a position. */
type LeadName = 'renew' | 'find' | 'follow' | 'route' | null

export function leadOf(device: Device, { mayRenew, isStolen, now }: { mayRenew: boolean; isStolen: boolean; now: Date }): LeadName {
  const { mode, pending_mode } = device.tracker_config
  if (mayRenew) return 'renew'
  if (!device.tracker_status.last_position) return null
  if (isStolen || modeLabel(pending_mode ?? mode).kind === 'lost') return 'find'
  return trackerState(device, now) === 'moving' ? 'follow' : 'route'
}

export type LeadProps = {
  device: Device
  mayRenew: boolean
  isFollowed: boolean
  onFollow: () => void
  onShare: () => void
  /** Identifier of the text that says why an action is not available. */
  why: string
}

/** The two largest buttons of a tracker's card: what its state needs first, and sharing it. */
export function Lead({ lead, ...props }: LeadProps & { lead: LeadName }) {
  const canShare = useFeature('links')
  if (!lead && !canShare) return null
  return (
    <div className={classes.lead}>
      {lead && <First lead={lead} {...props} />}
      {canShare && <Share {...props} />}
    </div>
  )
}

function First({ lead, device, isFollowed, onFollow }: LeadProps & { lead: Exclude<LeadName, null> }) {
  const { t } = useTranslation()
  const { isWanted, fix } = useMyPosition()
  const at = device.tracker_status.last_position
  if (lead === 'renew') return <RenewLink device={device} />
  if (lead === 'follow')
    return (
      <button type="button" className={classes.first} aria-pressed={isFollowed} onClick={onFollow}>
        <IconFocus2 size={20} aria-hidden="true" />
        {t('tracker.follow')}
      </button>
    )
  if (lead === 'find')
    return (
      <button type="button" className={classes.first} onClick={locateMe} disabled={isWanted && !fix}>
        <IconMapPinSearch size={20} aria-hidden="true" />
        {t(isWanted && !fix ? 'finder.locating' : 'finder.find')}
      </button>
    )
  return (
    at && (
      <a href={mapsLink(at, device.name)} target="_blank" rel="noreferrer" className={classes.first}>
        <IconRoute size={20} aria-hidden="true" />
        {t('finder.route')}
      </a>
    )
  )
}

function Share({ device, onShare, why }: LeadProps) {
  const { t } = useTranslation()
  const now = useNow()
  const role = useQuery(sessionQuery()).data?.role ?? 'user'
  const block = blockReason('share', device, role, now)
  return (
    <button
      type="button"
      disabled={block !== null}
      aria-describedby={block ? why : undefined}
      title={block ? t(`tracker.blocked.${block}`) : undefined}
      onClick={onShare}
    >
      <IconShare2 size={20} aria-hidden="true" />
      {t('tracker.share')}
    </button>
  )
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
    <Link to={`/subscription?devices=${encodeURIComponent(device.id)}`} className={classes.first}>
      {price ? t('finder.renewFrom', { price }) : t('finder.renew')}
    </Link>
  )
}
