import { currentSubState } from '#contracts/rules/subscription.ts'
import { currentNetworkState, silenceStart } from '#contracts/rules/tracking/reporting.ts'
import { type Cadence, productCadence } from '#server/mock/seed/journeys/cadence.ts'
import type { Fix, Journeys } from '#server/mock/seed/journeys/journeys.ts'
import type { Profile } from '#server/mock/seed/journeys/profile.ts'
import { measureFlight } from '#server/mock/seed/journeys/receiver.ts'
import type { TrackerSettings } from './simulator.store.ts'

/** From second `from` to second `to` of an anchor, both included. */
export type Span = { anchor: Date; from: number; to: number }

/** A receiver's measurements besides the position: km/h, degrees clockwise from north, metres above sea level. */
export type Measured = { speed?: number; course?: number; altitude?: number }

/** A fix that a tracker has to send; the first one after a mode was requested applies it. */
export type DueFix = Fix & { appliesMode: boolean; measured?: Measured }

const secondOf = (anchor: Date, at: Date) => Math.floor((at.getTime() - anchor.getTime()) / 1000)
const dateOf = (anchor: Date, second: number) => new Date(anchor.getTime() + second * 1000)

/**
 * Computes the fixes a tracker has to send within a span: none without a network or an active subscription. Its mode sets the interval, a
 * pending mode from the first fix on. Fixes that were due before the span are replaced by one at its beginning.
 */
export function computeDueFixes(journeys: Journeys, profile: Profile, settings: TrackerSettings, { anchor, from, to }: Span): DueFix[] {
  const { lastMessageAt, pendingMode } = settings
  if (currentNetworkState(silenceStart(settings), settings.networkState, dateOf(anchor, to)) === 'deactivated') return []
  const due: DueFix[] = []
  let second = lastMessageAt ? secondOf(anchor, lastMessageAt) : Number.NEGATIVE_INFINITY
  for (;;) {
    const appliesMode = pendingMode !== null && due.length === 0
    const cadence = effectiveCadence(settings, appliesMode, anchor)
    const next = Number.isFinite(second) ? journeys.nextFix(profile, second, cadence) : from
    second = Math.max(next, from)
    if (second > to || !isSubscribed(settings, dateOf(anchor, second))) return due
    const fix = journeys.fixAt(profile, second)
    due.push({ ...fix, appliesMode, ...(profile.by === 'air' && { measured: readReceiver(journeys, profile, fix) }) })
  }
}

function readReceiver(journeys: Journeys, profile: Profile, fix: Fix): Measured {
  const { speed, course, altitude } = measureFlight(journeys, profile, fix)
  return { speed: speed / 10, altitude, ...(course !== null && { course }) }
}

const isSubscribed = ({ subState, subEndDate }: TrackerSettings, at: Date) => currentSubState(subState, subEndDate, at) === 'active'

/** A tracker in plane mode is silent; when another mode is pending, it checks for messages as often as a stationary one. */
function effectiveCadence(settings: TrackerSettings, isPending: boolean, anchor: Date): Cadence {
  const { frequency, keepalivePeriod, boostUntil, type, boardName } = settings
  const sct2 = frequency === null || keepalivePeriod === null ? undefined : { frequency, keepalivePeriod }
  const mode = isPending ? settings.mode : (settings.pendingMode ?? settings.mode)
  const cadence = productCadence({ type, boardName, mode, sct2 })
  return {
    ...cadence,
    moving: cadence.moving ?? (isPending ? cadence.still : null),
    ...(boostUntil && cadence.moving && { boostUntil: secondOf(anchor, boostUntil) }),
  }
}

/** The content of one message; `second` is that of its last fix. */
export type Batch = { identifier: string; second: number; fixes: DueFix[] }

const HOUR_SECONDS = 3600
const MAX_FIXES = 200

/**
 * Groups the fixes of a tracker into messages. Hours are counted from the anchor, so the result does not depend on the number of steps in
 * which time advances.
 */
export function batchFixes(identifier: string, fixes: DueFix[]): Batch[] {
  const batches: Batch[] = []
  for (const fix of fixes) {
    const open = batches.at(-1)
    const isFull =
      !open || endingHour(open.second) !== endingHour(fix.second) || open.fixes.length >= MAX_FIXES || open.fixes[0]?.appliesMode
    if (isFull) batches.push({ identifier, second: fix.second, fixes: [fix] })
    else {
      open.fixes.push(fix)
      open.second = fix.second
    }
  }
  return batches
}

/** A full hour belongs to the hour that it ends. */
const endingHour = (second: number) => Math.ceil(second / HOUR_SECONDS)
