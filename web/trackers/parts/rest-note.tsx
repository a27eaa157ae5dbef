import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { currentSubState } from '#contracts/rules/subscription.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useNow } from '#web/lib/clock.ts'
import type { Formats } from '#web/lib/i18n/format.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { trackerService } from '#web/trackers/service.ts'

type Props = { device: Device; className: string | undefined }

/** Since when a tracker rests and what ends that, or until when it is still shown; nothing while it is in service. */
export function RestNote({ device, className, isLinked = false }: Props & { isLinked?: boolean }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const reader = { now: useNow(), mayBuy: useHasRight('buy'), mayChange: useHasRight('changeTrackers') }
  const words = restWords(t, formats, device, reader)
  return (
    words && (
      <p className={className} role="status">
        <span>{words}</span>
        {isLinked && trackerService(device, reader.now).state === 'resting' && <RestLink device={device} />}
      </p>
    )
  )
}

/** Leads to the shop, where a paused plan is resumed too, or to support for a tracker linked to a pro account. */
function RestLink({ device: { id, linked_to_pro, paused_until } }: { device: Device }) {
  const { t } = useTranslation()
  const isPaused = paused_until !== undefined
  const mayBuy = useHasRight('buy')
  const hasShop = useFeature('subscriptions')
  if (linked_to_pro) return <Link to="/contact_us">{t('nav.help')}</Link>
  return (
    mayBuy && hasShop && <Link to={`/subscription?devices=${encodeURIComponent(id)}`}>{t(isPaused ? 'rest.resume' : 'finder.renew')}</Link>
  )
}

type Reader = { now: Date; mayBuy: boolean; mayChange: boolean }

/** Support, who cannot change anything, is told only the date. */
function restWords(t: TFunction, formats: Formats, device: Device, { now, mayBuy, mayChange }: Reader) {
  const service = trackerService(device, now)
  if (service.state === 'in_service') return null
  const { sub_state, sub_end_date } = device.tracker_status
  const hasEnded = currentSubState(sub_state, sub_end_date, now) === 'ended'
  if (service.state === 'grace') return t(hasEnded ? 'rest.endsOn' : 'rest.freeUntil', { date: formats.date(service.until) })
  if (service.pausedUntil) return t('rest.paused', { date: formats.date(service.pausedUntil) })
  const date = formats.date(service.since)
  if (!mayChange) return t('rest.since', { date })
  if (device.linked_to_pro) return t('rest.sincePro', { date })
  if (!mayBuy) return t('rest.sinceTeam', { date })
  return t(hasEnded ? 'rest.sinceRenew' : 'rest.sinceStart', { date })
}
