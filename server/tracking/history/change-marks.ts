import type { MarkChange } from '#contracts/positions.ts'
import { createFilter, judgeFix } from '#contracts/rules/history/filter.ts'
import { addressOf } from '#db/addresses.ts'
import type { Tx } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { fromFixed7, markNumber, type PositionStore } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import { getOwnedDeviceInTx } from '#server/http/access/owned-device.ts'
import { invalidField } from '#server/lib/errors.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { presentStatus } from '#server/trackers/records/devices.present.ts'
import { PERIOD_SECONDS, periodStart } from './late-periods.store.ts'
import { timeOfPosition } from './positions.present.ts'
import { removeState, saveSeen } from './positions.store.ts'

/** Fixes this long before and after a period affect the judgement of its first and last ones. */
const CONTEXT_SECONDS = 3600
/** More than the fixes of eight hours at 1 Hz. */
const MAX_FIXES = 30_000

const KEPT = markNumber('kept')

/**
 * Judges the fixes of a period (Unix seconds) again and updates their marks; fixes that a user restored are not judged. With `only`, updates
 * only the fixes of these seconds. Returns how many changed.
 */
export async function markPeriod(
  tx: Tx,
  positions: PositionStore,
  { deviceId, first, last, only }: { deviceId: number; first: number; last: number; only?: ReadonlySet<number> },
) {
  const rows = await positions.rangeInTx(tx, deviceId, first - CONTEXT_SECONDS, last + CONTEXT_SECONDS, MAX_FIXES)
  const marks = rows.map((): number | null => null)
  const filter = createFilter()
  for (const { time, lat, lng, precision } of rows)
    for (const verdict of judgeFix(filter, { lat: fromFixed7(lat), lng: fromFixed7(lng), precision, datetime: time * 1000 }))
      for (let index = verdict.first; index <= verdict.last; index++)
        if (!isFinal(marks[index])) marks[index] = verdict.reason === null ? null : markNumber(verdict.reason)
  let changed = 0
  for (const [index, { time, mark }] of rows.entries()) {
    const isMeant = time >= first && time <= last && mark !== KEPT && (only?.has(time) ?? true)
    if (isMeant && mark !== marks[index] && (await positions.mark(tx, deviceId, time, marks[index] ?? null))) changed++
  }
  return changed
}

const isFinal = (mark: number | null | undefined) => mark === markNumber('zero') || mark === markNumber('vague')

/**
 * Marks positions that look wrong as right, or has them judged again. The tracker moves to the newest valid position; no alert is sent.
 * Returns how many marks changed.
 */
export function changeMarks(context: ViewerContext, deviceId: number, { positions: ids, mark }: MarkChange) {
  return writeDevices(context.db, [`account:${context.viewer.accountId}`], async (tx) => {
    const device = await getOwnedDeviceInTx(tx, context.viewer, deviceId)
    const seconds = readSeconds(deviceId, ids)
    const marked = await setMarks(tx, context, deviceId, seconds, mark)
    const moved = marked > 0 ? await followNewest(tx, context, device, Math.max(...seconds)) : null
    if (!moved) return marked
    const now = context.clock.now()
    const body = { tracker_status: presentStatus(moved, now) }
    await appendLiveEvent(tx, { device: moved, type: 'position', body, at: now })
    return marked
  })
}

function readSeconds(deviceId: number, ids: number[]) {
  const times = [...new Set(ids)].map((id) => timeOfPosition(deviceId, id))
  const seconds = times.filter((time) => time !== null)
  if (seconds.length < times.length) throw invalidField('positions', 'Not a position of this tracker')
  return seconds
}

async function setMarks(tx: Tx, { positions }: ViewerContext, deviceId: number, seconds: number[], mark: MarkChange['mark']) {
  let changed = 0
  if (mark === 'kept') {
    for (const time of seconds) changed += Number(await positions.mark(tx, deviceId, time, KEPT))
    return changed
  }
  const before = new Map<number, number | null>()
  for (const time of seconds) {
    const [row] = await positions.rangeInTx(tx, deviceId, time, time, 1)
    if (row) before.set(time, row.mark)
    if (row?.mark === KEPT) await positions.mark(tx, deviceId, time, null)
  }
  for (const start of new Set(seconds.map(periodStart)))
    await markPeriod(tx, positions, { deviceId, first: start, last: start + PERIOD_SECONDS - 1, only: new Set(before.keys()) })
  for (const [time, mark] of before) {
    const [row] = await positions.rangeInTx(tx, deviceId, time, time, 1)
    if (row && row.mark !== mark) changed++
  }
  return changed
}

/** Moves the tracker to its newest valid position; null if a mark at `time` cannot have changed it. */
async function followNewest(tx: Tx, { positions, clock, geocode }: ViewerContext, device: DeviceRow, time: number) {
  if (time * 1000 < (device.positionAt?.getTime() ?? 0)) return null
  const newest = await positions.latestInTx(tx, device.id, Math.floor(clock.now().getTime() / 1000))
  if (!newest || newest.time * 1000 === device.positionAt?.getTime()) return null
  const { lat, lng, precision, course } = newest
  const address = addressOf(geocode.nearest, { lat: fromFixed7(lat), lng: fromFixed7(lng) })
  const moved = { ...device, lat, lng, precision, course, address, positionAt: new Date(newest.time * 1000), stationarySince: null }
  await saveSeen(tx, [moved])
  await removeState(tx, device.id)
  return moved
}
