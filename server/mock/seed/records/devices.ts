import type { EventType } from '#contracts/rules/tracking/reporting.ts'
import { DEVICE_TYPES, usualBoard } from '#contracts/rules/tracking/tracker.ts'
import type { NewPosition } from '#db/positions.ts'
import type { devices, hiddenDevices, includedMonthsUsed, sct2Params, stockItems, tags } from '#db/schema/devices.ts'
import type { DevicePlan, Fleet } from './device-plan.ts'
import { FLEETS } from './fleets.ts'
import type { Moments } from './moments.ts'
import { getPersona } from './personas.ts'
import { photoRows } from './photos.ts'
import { SEED } from './seed-ids.ts'

export type DeviceRow = typeof devices.$inferInsert

const { accountId, id: userId } = getPersona('alice')
const SERIAL_LENGTH = 12

export const tagRows: (typeof tags.$inferInsert)[] = [
  { id: SEED.tags.pets, name: 'Pets', color: '#d9622b' },
  { id: SEED.tags.vehicles, name: 'Vehicles', color: '#1f6fb2' },
  { id: SEED.tags.stolen, name: 'Stolen', color: '#b3261e' },
  { id: SEED.tags.empty, name: 'Empty', color: '#6b7280' },
].map((tag) => ({ ...tag, accountId, key: tag.name.toLowerCase() }))

export const hiddenRows: (typeof hiddenDevices.$inferInsert)[] = [{ userId, deviceId: SEED.devices.hiker }]

export const sct2Rows: (typeof sct2Params.$inferInsert)[] = [
  { deviceId: SEED.devices.coldBox, frequency: 60, keepalivePeriod: 1440, tempUplinkSlicesDuration: 2, tempSliceDuration: 60 },
]

export type LastSeen = { row: NewPosition; address: string | null; movingSince: number | null }

/** Every tracker that is on an account; `seen` returns the last report of each, with times in seconds from the anchor. */
export const deviceRows = (at: Moments, seen: (plan: DevicePlan) => LastSeen | null): DeviceRow[] =>
  FLEETS.flatMap((fleet) =>
    fleet.devices.map((plan, index) => ({
      ...printedNumbers(fleet, index + 1),
      ...configuration(plan, at),
      ...lastState(plan, at, seen(plan)),
    })),
  )

const printedNumbers = ({ accountId, head, maker }: Fleet, number: number) => ({
  accountId,
  identifier: `${head}${String(number).padStart(2, '0')}`,
  serial: `${maker}${String(number).padStart(SERIAL_LENGTH - maker.length, '0')}`,
})

const configuration = (plan: DevicePlan, at: Moments) => ({
  id: plan.id,
  type: plan.type,
  boardName: plan.board ?? usualBoard(plan.type),
  name: plan.name,
  kind: plan.kind,
  icon: plan.icon ?? null,
  photo: photoRows.find(({ deviceId }) => deviceId === plan.id)?.hash ?? null,
  tagId: plan.tag ?? null,
  operator: plan.operator,
  isLinkedToPro: plan.isLinkedToPro ?? false,
  activeCollarSince: plan.isCollarActive ? at({ days: -40 }) : null,
  createdAt: at(plan.added),
  mode: plan.mode,
  pendingMode: plan.pendingMode ?? null,
  networkState: plan.isDeactivated ? ('deactivated' as const) : ('active' as const),
  boostUntil: plan.id === SEED.devices.rex ? at({ hours: 1 }) : null,
  subState: plan.sub,
  subEndDate: plan.endsIn === undefined ? null : at({ days: plan.endsIn }),
  battery: plan.battery,
})

function lastState(plan: DevicePlan, at: Moments, seen: LastSeen | null) {
  if (!seen) return {}
  const { lat, lng, precision, time } = seen.row
  const lastMessageAt = plan.seen ? at(plan.seen) : at({ seconds: time })
  const stationarySince = plan.still === null || plan.still === undefined ? null : at({ minutes: -plan.still })
  const lastEvent = plan.event ?? 'stationary'
  const eventTimes: Partial<Record<EventType, Date | null>> = {
    stationary: stationarySince,
    moving: seen.movingSince === null ? null : at({ seconds: seen.movingSince }),
  }
  return {
    lat,
    lng,
    precision,
    positionAt: at({ seconds: time }),
    address: seen.address,
    lastEvent,
    lastEventAt: eventTimes[lastEvent] ?? lastMessageAt,
    lastMessageAt,
    stationarySince,
    onlineSince: at({ days: plan.seen ? -180 : -60 }),
  }
}

type StockRow = typeof stockItems.$inferInsert

const NEWEST_BATCH = '2026-02'

/** Ten trackers that no account has claimed, of all types in turn; the last one has a configurable board, the eighth two years of service. */
export const freeStockRows = (at: Moments): StockRow[] =>
  Array.from({ length: 10 }, (_, index) => {
    const number = String(index + 1).padStart(2, '0')
    const type = DEVICE_TYPES[index % DEVICE_TYPES.length]!
    return {
      identifier: `90000000${number}`,
      serial: `FACTORY000${number}`,
      type,
      boardName: index === 9 ? 'SCT2-02' : usualBoard(type),
      includedMonths: index === 7 ? 24 : 12,
      batch: NEWEST_BATCH,
      addedAt: at({ days: -14 }),
    }
  })

/** The trackers on accounts were in stock before, a batch for the trackers of each account. */
export const claimedStockRows = (devices: readonly DeviceRow[]): StockRow[] =>
  devices.map(({ identifier, serial, type, boardName, accountId, createdAt }) => ({
    identifier: identifier!,
    serial: serial!,
    type,
    boardName,
    batch: `2025-${String(accountId).padStart(2, '0')}`,
    addedAt: createdAt,
  }))

/** Activated trackers have used their included months. */
export const usedMonthsRows = (devices: readonly DeviceRow[]): (typeof includedMonthsUsed.$inferInsert)[] =>
  devices
    .filter(({ subState }) => subState === 'active' || subState === 'ended')
    .map(({ identifier, createdAt }) => ({ key: identifier!, at: createdAt }))
