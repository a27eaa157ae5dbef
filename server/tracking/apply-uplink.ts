import { BATTERY_RANGE } from '#contracts/lib/constants.ts'
import type { Message } from '#contracts/positions.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { currentNetworkState, silenceStart } from '#contracts/rules/tracking/reporting.ts'
import type { DeviceRow } from '#db/scope.ts'

/** Thresholds of a low battery: percent, and mV for tracker_02. */
const LOW_BATTERY = { percent: 15, millivolts: 3300 }
/** Trackers report at least daily; after two days of silence `onlineSince` starts over. */
const ONLINE_GAP_MS = 2 * DAY_MS

export type UplinkEffect = ReturnType<typeof applyUplink>

/** Applies what every uplink implies, whatever it contains: pending mode, battery and network state. */
export function applyUplink(device: DeviceRow, battery: Message['battery'], now: Date) {
  const isAnew = device.lastMessageAt === null || now.getTime() - device.lastMessageAt.getTime() > ONLINE_GAP_MS
  const networkState = currentNetworkState(silenceStart(device), device.networkState, now)
  const level = battery === undefined ? device.battery : batteryLevel(battery)
  const isModeApplied = device.pendingMode !== null
  const isBatteryLow = isLow(device.type, level) && !isLow(device.type, device.battery)
  const event = isBatteryLow ? ('low_battery' as const) : isModeApplied ? ('mode_applied' as const) : null
  const after: DeviceRow = {
    ...device,
    mode: device.pendingMode ?? device.mode,
    pendingMode: null,
    battery: level,
    networkState,
    lastMessageAt: later(device.lastMessageAt, now),
    onlineSince: isAnew || device.onlineSince === null ? now : device.onlineSince,
    ...(event && { lastEvent: event, lastEventAt: now }),
  }
  return { device: after, isModeApplied, isBatteryLow, isNetworkLost: networkState !== device.networkState }
}

/** Rounded; any negative reading means unknown. */
const batteryLevel = (battery: number) => (battery < 0 ? BATTERY_RANGE.unknown : Math.round(battery))

const isLow = (type: DeviceRow['type'], level: number | null) =>
  level !== null && level >= 0 && level < (type === 'tracker_02' ? LOW_BATTERY.millivolts : LOW_BATTERY.percent)

const later = (a: Date | null, b: Date) => (a !== null && a > b ? a : b)
