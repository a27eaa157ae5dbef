import { EVENT_TYPES, type EventType } from '#contracts/constants.ts'
import type { Message } from '#contracts/positions.ts'
import { MINUTE_MS } from '#contracts/rules/instant.ts'
import type { Standing } from '#contracts/rules/standing.ts'
import { type PositionStore, toFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import { type Firing, type Watch, watchFix } from '#server/alerts/watch.ts'
import { moveOn } from './motion.ts'

/** A clock may be wrong by this much; a fix of a later time is ignored. */
const AHEAD_MS = 10 * MINUTE_MS

type Taken = { device: DeviceRow; standing: Standing | null; watches: Watch[]; firings: Firing[]; accepted: number }
type Fix = Message['positions'][number] & { time: number }

/** Fixes in order of time, seconds since 1970, without those of the future. */
export function fixesOf(message: Message, now: Date): Fix[] {
  const fixes = message.positions.map((fix) => ({ ...fix, time: Math.floor(Date.parse(fix.datetime) / 1000) }))
  return fixes.filter(({ time }) => time * 1000 <= now.getTime() + AHEAD_MS).sort((a, b) => a.time - b.time)
}

type Outset = { device: DeviceRow; standing: Standing | null; watches: Watch[]; mode: number; battery: number | null }

/**
 * Stores fixes and follows the newer ones (D-33): the last position, the motion, the alerts. Older ones are stored and
 * move nothing; one of a second that is known is not taken. `mode` is the one in which the tracker made these fixes.
 */
export function takeFixes(positions: PositionStore, fixes: Fix[], { mode, battery, ...outset }: Outset): Taken {
  let taken: Taken = { ...outset, firings: [], accepted: 0 }
  for (const fix of fixes) {
    const isLast = fix === fixes.at(-1)
    const { time, precision } = fix
    const seenAt = taken.device.positionAt?.getTime() ?? null
    const row = { time, lat: toFixed7(fix.lat), lng: toFixed7(fix.lng), precision, battery: isLast ? battery : null }
    const isNewer = seenAt === null || time * 1000 > seenAt
    const followed = isNewer ? follow(taken, fix, mode) : { ...taken, event: fix.event ?? null }
    const event = followed.event === null ? null : EVENT_TYPES.indexOf(followed.event)
    const isAdded = positions.add(taken.device.id, { ...row, event })
    taken = { ...followed, accepted: taken.accepted + Number(isAdded) }
  }
  return taken
}

function follow(taken: Taken, fix: Fix, mode: number): Taken & { event: EventType | null } {
  const { device } = taken
  const at = new Date(fix.time * 1000)
  const point = { lat: fix.lat, lng: fix.lng, precision: fix.precision, datetime: at.getTime() }
  const motion = moveOn(taken.standing, point, device.positionAt?.getTime() ?? 0)
  const { watches, firings } = watchFix(taken.watches, point, { hasStarted: motion.hasStarted, mode })
  const event = firings.find(({ type }) => type === 'vehicle_alert')?.type ?? firings[0]?.type ?? reported(fix) ?? motion.event
  const since = motion.standing.since
  const seen = {
    lat: toFixed7(fix.lat),
    lng: toFixed7(fix.lng),
    precision: fix.precision,
    positionAt: at,
    stationarySince: since === null ? null : new Date(since),
    ...lastEvent(device, event ?? 'position', at),
  }
  return {
    ...taken,
    device: { ...device, ...seen },
    standing: motion.standing,
    watches,
    firings: [...taken.firings, ...firings],
    event: event ?? fix.event ?? null,
  }
}

/** What the tracker itself says of a fix, when it is more than that there is one. */
const reported = ({ event }: Fix) => (event === 'position' ? null : event)

/** A mere position never covers an event, nor an older event a newer one. */
function lastEvent(device: DeviceRow, event: EventType, at: Date): Partial<DeviceRow> {
  const isCovered = event === 'position' && device.lastEvent !== null && device.lastEvent !== 'position'
  if (isCovered || (device.lastEventAt !== null && device.lastEventAt > at)) return {}
  return { lastEvent: event, lastEventAt: at }
}
