import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import { usualBoard } from '#contracts/rules/tracking/tracker.ts'
import { addressOf } from '#db/addresses.ts'
import { fromFixed7, type NewPosition, toFixed7 } from '#db/positions.ts'
import type { City } from '#server/mock/city/index.ts'
import { type Cadence, productCadence, STOP_CONFIRMED_SECONDS } from '#server/mock/seed/journeys/cadence.ts'
import type { Fix, Journeys } from '#server/mock/seed/journeys/journeys.ts'
import { PROFILES } from '#server/mock/seed/journeys/lives.ts'
import type { Profile } from '#server/mock/seed/journeys/profile.ts'
import { measureFlight, withOddities } from '#server/mock/seed/journeys/receiver.ts'
import { batteryLevel } from '#server/mock/seed/records/battery.ts'
import type { DevicePlan } from '#server/mock/seed/records/device-plan.ts'
import { type LastSeen, sct2Rows } from '#server/mock/seed/records/devices.ts'
import { momentsFrom } from '#server/mock/seed/records/moments.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'

const DAY = 86_400
const { rex, misty, cityBike, familyCar, cessna, grandpa, newTracker, stolenScooter } = SEED.devices
const DENSE_TRACKERS: number[] = [rex, misty, cityBike, familyCar, cessna, grandpa]

const MOVING = EVENT_TYPES.indexOf('moving')

/** `isApart`: the next phase begins as if this one did not exist. */
type Phase = { from: number; cadence: Cadence; isApart?: boolean }

const every = (min: number, max = min) => ({ min, max })
const walks = { old: { moving: every(2, 2.5), still: every(35, 60) }, recent: { moving: every(0.6, 1.1), still: every(25, 50) } }
const drives = { old: { moving: every(0.8, 1), still: every(35, 60) }, recent: { moving: every(0.3, 0.4), still: every(25, 50) } }
const flights = { old: { moving: every(0.2, 0.3), still: every(40, 60) }, recent: { moving: every(0.2, 0.3), still: every(40, 60) } }
/** Reporting intervals of phases with few positions for many months, because a template is copied for each world. */
const longAgo = { moving: every(5, 6), still: every(240) }
const MONTHS_DAYS = 160
const sparse = { moving: every(12, 20), still: every(240) }

/** The density of a tracker's history over time, in seconds from its end: highest for the trackers that visitors open first. */
function planPhases(plan: DevicePlan, { by }: Profile): Phase[] {
  if (plan.id === newTracker) return []
  if (DENSE_TRACKERS.includes(plan.id)) {
    const { old, recent } = { foot: walks, wheels: drives, air: flights }[by]
    return [
      ...(plan.id === rex ? [{ from: -MONTHS_DAYS * DAY, cadence: longAgo, isApart: true }] : []),
      { from: -30 * DAY, cadence: old },
      { from: -3 * DAY, cadence: recent },
    ]
  }
  const sct2 = sct2Rows.find(({ deviceId }) => deviceId === plan.id)
  const own = productCadence({ type: plan.type, boardName: plan.board ?? usualBoard(plan.type), mode: plan.mode, sct2 })
  const product = own.moving ? own : sparse
  if (plan.id === stolenScooter) return [{ from: -22 * 3600, cadence: product }]
  return [
    { from: -10 * DAY, cadence: sparse },
    { from: -1.5 * DAY, cadence: product },
  ]
}

const lastMessageSecond = ({ seen = {} }: DevicePlan) => momentsFrom(new Date(0))(seen).getTime() / 1000

export function simulateHistory(journeys: Journeys, plan: DevicePlan): NewPosition[] {
  const profile = PROFILES.get(plan.id)
  if (!profile) return []
  const end = lastMessageSecond(plan)
  const phases = planPhases(plan, profile).map(({ from, ...phase }) => ({ from: end + from, ...phase }))
  const fixes: Fix[] = []
  for (const [index, { from, cadence }] of phases.entries()) {
    const last = phases[index - 1]?.isApart ? from : (fixes.at(-1)?.second ?? from)
    fixes.push(...journeys.fixes(profile, last, phases[index + 1]?.from ?? end, cadence))
  }
  const rows = fixes.map((fix, index) => ({
    ...toPositionRow(fix, findEvent(journeys, profile, fix, fixes[index - 1]), batteryLevel(plan.type, plan.battery, fix.second)),
    ...(profile.by === 'air' && measureFlight(journeys, profile, fix)),
  }))
  return plan.id === grandpa ? withOddities(rows) : rows
}

function findEvent(journeys: Journeys, profile: Profile, fix: Fix, before: Fix | undefined) {
  if (fix.isMoving) return before?.isMoving ? null : ('moving' as const)
  return journeys.stateAt(profile, fix.second).since + STOP_CONFIRMED_SECONDS === fix.second ? ('stationary' as const) : null
}

const toPositionRow = ({ second, lat, lng, precision }: Fix, event: 'moving' | 'stationary' | null, battery: number): NewPosition => ({
  time: second,
  lat: toFixed7(lat),
  lng: toFixed7(lng),
  precision,
  event: event && EVENT_TYPES.indexOf(event),
  battery: battery < 0 ? null : battery,
})

/** Computes a tracker's state at the anchor from its history; null without a history. */
export function computeLastSeen(city: City, history: NewPosition[]): LastSeen | null {
  const row = history.at(-1)
  if (!row) return null
  const address = addressOf(city.nearest, { lat: fromFixed7(row.lat), lng: fromFixed7(row.lng) })
  return { row, address, movingSince: history.findLast(({ event }) => event === MOVING)?.time ?? null }
}
