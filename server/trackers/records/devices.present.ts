import { isLinkExpired } from '#contracts/rules/link.ts'
import { currentSubState, isPaused } from '#contracts/rules/subscription.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { deriveUsage } from '#contracts/rules/tracking/mode.ts'
import { currentNetworkState, movingFrequency, silenceStart, stationaryFrequency } from '#contracts/rules/tracking/reporting.ts'
import { isSct2Board } from '#contracts/rules/tracking/tracker.ts'
import type { Device, TrackerConfig, TrackerStatus } from '#contracts/trackers/devices.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import { toShownDevice } from './service.ts'

/** Reporting intervals of a configurable tracker, in minutes. */
export type Pace = { frequency: number; keepalivePeriod: number }

/** A tracker with the related rows of other tables. */
export type DeviceFacts = {
  device: DeviceRow
  tag: Device['tag']
  pace: Pace | null
  subscription: { priceId: string | null; months: number; extra: number; isRecurring: boolean } | null
  linkEndsAt: Date | null
  stolenAt: Date | null
}

export function presentDevice({ device, tag, pace, subscription, linkEndsAt, stolenAt }: DeviceFacts, now: Date, visible = true): Device {
  const { id, type, name, serial, identifier, kind, operator } = device
  return {
    id,
    type,
    name,
    serial,
    identifier,
    kind,
    tag,
    is_public: linkEndsAt !== null && !isLinkExpired(linkEndsAt, now),
    visible,
    linked_to_pro: device.isLinkedToPro,
    operator,
    online_since: iso(toShownDevice(device, now).onlineSince),
    active_collar_since: type === 'tracker_06' ? iso(device.activeCollarSince) : null,
    tracker_config: presentConfig(device, pace, now),
    tracker_status: presentStatus(device, now),
    price: presentPrice(subscription),
    theft_since: iso(stolenAt),
    added_at: formatInstant(device.createdAt),
    ...(device.graceFrom && { grace_from: formatInstant(device.graceFrom) }),
    ...presentPause(device, now),
    ...presentFace(device),
  }
}

const presentPause = (device: DeviceRow, now: Date) =>
  isPaused(device, now) && {
    paused_from: formatInstant(device.pausedFrom ?? now),
    paused_until: formatInstant(device.pausedUntil ?? now),
  }

/** Icon and photo, if there are any. */
export const presentFace = ({ icon, photo }: Pick<DeviceRow, 'icon' | 'photo'>) => ({
  ...(icon !== null && { icon }),
  ...(photo !== null && { photo }),
})

export function presentConfig(device: DeviceRow, pace: Pace | null, now: Date): TrackerConfig {
  const { type, boardName, mode, pendingMode, networkState, boostUntil } = device
  const own = isSct2Board(boardName) ? pace : null
  return {
    board_name: boardName,
    usage: deriveUsage(device.kind),
    mode,
    pending_mode: pendingMode,
    mode_state: pendingMode === null ? 'applied' : 'sending',
    frequency_moving: movingFrequency(type, boardName, mode, own?.frequency),
    frequency_stationary: stationaryFrequency(own?.keepalivePeriod),
    network_state: currentNetworkState(silenceStart(device), networkState, now),
    boost_until: boostUntil && boostUntil > now ? formatInstant(boostUntil) : null,
  }
}

/** A resting tracker has the state of before its rest. */
export function presentStatus(row: DeviceRow, now: Date): TrackerStatus {
  const device = toShownDevice(row, now)
  const { lat, lng, precision, course, positionAt, lastEvent, lastEventAt, subState, subEndDate } = device
  const hasPosition = lat !== null && lng !== null && precision !== null && positionAt !== null
  return {
    sub_state: currentSubState(subState, subEndDate, now),
    sub_end_date: iso(subEndDate),
    battery: device.battery,
    last_position: hasPosition
      ? { lat: fromFixed7(lat), lng: fromFixed7(lng), precision, datetime: formatInstant(positionAt), ...(course !== null && { course }) }
      : null,
    last_address: device.address,
    last_event: lastEvent && lastEventAt && { type: lastEvent, datetime: formatInstant(lastEventAt) },
    stationary_since: iso(device.stationarySince),
    online_since: iso(device.onlineSince),
  }
}

function presentPrice(subscription: DeviceFacts['subscription']): Device['price'] {
  if (!subscription?.priceId) return null
  const { priceId, months, extra, isRecurring } = subscription
  return { id: priceId, months, extra, recurring: isRecurring }
}

const iso = (date: Date | null) => date && formatInstant(date)
