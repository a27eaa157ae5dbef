import type { AlertSchedule } from '#contracts/alerts.ts'
import type { FiringKind } from '#contracts/firings.ts'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import type { Geofence, Trigger } from '#contracts/rules/geo/place.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { Border } from '#contracts/rules/tracking/crossing.ts'
import type { Rule, RuleState } from '#contracts/rules/tracking/rules/rule.ts'
import { isScheduled } from '#contracts/rules/tracking/rules/schedule.ts'
import type { Cells } from '#contracts/rules/tracking/usual/cells.ts'

/** An alert's state for one tracker. */
export type Watch = {
  alertId: number
  isVehicleAlert: boolean
  trigger: Trigger | null
  place: (Geofence & { id: number; name: string }) | null
  rule: Rule | null
  /** For a rule `unusual`: the cells where the tracker usually is; null while nothing is learnt. */
  usual: Cells | null
  schedule: AlertSchedule | null
  /** Minutes; 0 for the usual ones. */
  pause: number
  /** Of the owner of the account. */
  timeZone: string
  crossing: Border
  state: RuleState
  /** When its rule has to be looked at although no message came (ms). */
  dueAt: number | null
  hasChanged: boolean
  firedAt?: Date | undefined
  /** Of a rule about two trackers; null for other alerts, and while one of both is missing. */
  pair: PairPlace | null
}

/** The place of a tracker in a pair: it is the first one if its id is lower. The state of both is that of the first one. */
export type PairPlace = { nth: 0 | 1; first: number; other: number }

/** The level of a tracker's own settings is published by itself. */
type WatchKind = Exclude<FiringKind, 'low_battery'>

/** A fired alert. Alerts of the same kind, rule and place fire together, so that each contact gets one mail. `fix`: where the tracker was last. */
export type Firing = {
  kind: WatchKind
  rule: Rule | null
  place: { id: number; name: string } | null
  alertIds: number[]
  fix: Fix | null
  at: number
  pair: FiredPair | null
}

/** How far two trackers were from each other (m). `isOfOther`: the position is that of the other tracker. */
export type FiredPair = { other: number; distance: number; isOfOther: boolean; fix: Fix }

/** What one watch fires; `isQuiet`: it fired only just before, so nobody is notified. `fired`: its rule with what was measured. */
export type WatchFiring = Pick<Firing, 'kind' | 'at' | 'pair'> & { watch: Watch; isQuiet: boolean; fired?: Rule | undefined }

/** Time between two mails of an alert about the same tracker, unless it has a longer pause. */
const QUIET_MS = 5 * MINUTE_MS

type FiredHow = { isOnTime?: boolean; pair?: FiredPair }

/** Fires what a watch has found at an instant (ms), unless that is outside of its schedule. `isOnTime`: its instant is part of its rule. */
export function fireWatch(watch: Watch, kinds: readonly WatchKind[], at: number, { isOnTime = false, pair }: FiredHow = {}) {
  const isMute = kinds.length === 0 || !(isOnTime || isScheduled(watch.schedule, at, watch.timeZone))
  if (isMute) return { watch, fired: [] }
  const isQuiet = watch.firedAt !== undefined && Math.abs(at - watch.firedAt.getTime()) < (watch.pause * MINUTE_MS || QUIET_MS)
  const after = { ...watch, hasChanged: true, firedAt: isQuiet ? watch.firedAt : new Date(at) }
  return { watch: after, fired: kinds.map((kind): WatchFiring => ({ kind, at, pair: pair ?? null, watch: after, isQuiet })) }
}

/** Joins what watches fired. A vehicle alert has no place. */
export function joinFirings(fired: readonly WatchFiring[], fix: Fix | null): Firing[] {
  const firings = new Map<string, Firing>()
  for (const { kind, at, pair, watch, isQuiet, fired: measured } of fired) {
    const place = kind === 'vehicle_alert' || !watch.place ? null : { id: watch.place.id, name: watch.place.name }
    const rule = watch.rule?.kind === kind ? (measured ?? watch.rule) : null
    const key = `${kind} ${place?.id} ${at} ${rule && JSON.stringify(rule)} ${pair?.other}`
    const alertIds = [...(firings.get(key)?.alertIds ?? []), ...(isQuiet ? [] : [watch.alertId])]
    firings.set(key, { kind, rule, place, alertIds, fix: pair?.fix ?? fix, at, pair })
  }
  return [...firings.values()]
}
