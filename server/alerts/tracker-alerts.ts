import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { UNKNOWN_CROSSING } from '#contracts/rules/geo/place.ts'
import { firesVehicleAlert } from '#contracts/rules/tracking/alert.ts'
import { type Border, followBorder, KNOWN_STEP, remainsOutside, type Step } from '#contracts/rules/tracking/crossing.ts'
import { hasVehicleAlert } from '#contracts/rules/tracking/mode.ts'
import { hasDeadline, isPairRule, type Rule } from '#contracts/rules/tracking/rules/rule.ts'
import type { Reporter } from '#contracts/rules/tracking/rules/silence.ts'
import { followSpeed, readSpeed } from '#contracts/rules/tracking/rules/speed.ts'
import { isSct2Board } from '#contracts/rules/tracking/tracker.ts'
import { type Cells, unpackCells } from '#contracts/rules/tracking/usual/cells.ts'
import { followUsual } from '#contracts/rules/tracking/usual/follow-usual.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import { findCells } from '#db/usual-areas.ts'
import type { FollowedTracker } from '#server/alerts/rules/follow-message.ts'
import { followPairFix } from '#server/alerts/rules/follow-pair.ts'
import { type Firing, fireWatch, joinFirings, type Watch, type WatchFiring } from '#server/alerts/rules/watch.ts'
import { findPace } from '#server/trackers/records/devices.store.ts'
import { readShape } from './shapes.ts'
import { listPairRows, listWatchRows, type PairRow, saveWatchStates, type WatchRow } from './tracker-alerts.store.ts'

/** The watches of a tracker by their rows, which may include those of others. */
export async function buildWatches(db: DbReader, rows: readonly WatchRow[], device: DeviceRow): Promise<Watch[]> {
  const last = lastFix(device)
  const own = rows.filter(({ deviceId }) => deviceId === device.id)
  const pairs = own.filter(({ rule }) => isPairRule(rule)).map(({ alertId }) => alertId)
  const pairRows = pairs.length > 0 ? await listPairRows(db, pairs) : []
  const timeZone = own.some(dependsOnZone) ? await findOwnerZone(db, device.accountId) : 'UTC'
  const usual = own.some(({ rule }) => rule?.kind === 'unusual') ? readCells(await findCells(db, device.id)) : null
  return own.map((row) => {
    const rowsOfPair = pairRows.filter(({ alertId }) => alertId === row.alertId)
    return rowsOfPair.length > 0 ? buildPairWatch(row, rowsOfPair, timeZone) : buildWatch(row, last, { timeZone, usual })
  })
}

/** Both trackers of a pair share the state of the one with the lower id. */
function buildPairWatch(row: WatchRow, [first, second]: readonly PairRow[], timeZone: string): Watch {
  if (!first || !second) return buildWatch(row, null, { timeZone, usual: null })
  const { state, firedAt, dueAt } = first
  const nth = row.deviceId === first.deviceId ? 0 : 1
  const pair = { nth, first: first.deviceId, other: (nth === 0 ? second : first).deviceId } as const
  return { ...buildWatch({ ...row, state, firedAt, dueAt }, null, { timeZone, usual: null }), pair }
}

export const loadWatches = async (tx: Tx, device: DeviceRow) => buildWatches(tx, await listWatchRows(tx, [device.id]), device)

/** Unpacked cells by their text. A tracker has some kB of them. */
const unpacked = new LRUCache<string, Cells>({ max: 500 })

function readCells(packed: string | null): Cells | null {
  if (packed === null) return null
  const known = unpacked.get(packed) ?? unpackCells(packed)
  unpacked.set(packed, known)
  return known
}

const dependsOnZone = ({ rule, schedule }: WatchRow) => schedule !== null || (rule !== null && hasDeadline(rule))

/** The time zone of the owner of an account. */
export const findOwnerZone = async (db: DbReader, accountId: number) => (await findAccountOwner(db, accountId))?.timeZone ?? 'UTC'

type Tracker = Pick<DeviceRow, 'id' | 'boardName'>

/** The intervals of a configurable tracker; null for others, and if the rule does not depend on them. */
export const findReportingPace = async (db: DbReader, { id, boardName }: Tracker, rule: Rule | null) =>
  isSct2Board(boardName) && dependsOnPace(rule) ? findPace(db, id) : null

const dependsOnPace = (rule: Rule | null) => rule?.kind === 'silent' || rule?.kind === 'back' || isPairRule(rule)

/** The same for all rules that watch a tracker. */
export async function loadReporting(db: DbReader, device: Tracker, watches: readonly Watch[]) {
  const found = watches.find(({ rule }) => dependsOnPace(rule))
  return found ? findReportingPace(db, device, found.rule) : null
}

export function toFollowed(device: DeviceRow, pace: Awaited<ReturnType<typeof loadReporting>>): FollowedTracker {
  const { type, boardName, mode, lastMessageAt, stationarySince } = device
  const [spokeAt, since] = [lastMessageAt?.getTime() ?? null, stationarySince?.getTime() ?? null]
  return { reporter: { type, boardName, mode, pace, lastMessageAt: spokeAt, stationarySince: since }, fix: lastFix(device) }
}

export function lastFix({ lat, lng, precision, positionAt }: DeviceRow): Fix | null {
  if (lat === null || lng === null || precision === null || positionAt === null) return null
  return { lat: fromFixed7(lat), lng: fromFixed7(lng), precision, datetime: positionAt.getTime() }
}

export const saveWatches = (tx: Tx, deviceId: number, watches: readonly Watch[]) =>
  saveWatchStates(
    tx,
    watches.flatMap(({ hasChanged, ...watch }) => (hasChanged ? { ...watch, deviceId: watch.pair?.first ?? deviceId } : [])),
  )

/** Compiled, because each message of a tracker parses the states of all its alerts. */
const StoredCrossing = z.compile(
  z.object({
    inside: z.nullable(z.boolean()),
    leaning: z.nullable(z.boolean()),
    sureness: z.optional(z.number()),
    evidenceMs: z.optional(z.number()),
    beyond: z.optional(z.number()),
    isTentative: z.optional(z.literal(true)),
  }),
)

const StoredTrack = z.object({
  spots: z.array(z.object({ lat: z.number(), lng: z.number(), precision: z.number(), at: z.number() })),
  wait: z.nullable(z.number()),
  until: z.number(),
})

const StoredState = z.compile(
  z.object({
    from: z.optional(z.number()),
    isSpent: z.optional(z.boolean()),
    above: z.optional(z.number()),
    below: z.optional(z.number()),
    stay: z.optional(z.number()),
    judgedAt: z.optional(z.number()),
    zone: z.optional(z.string()),
    pair: z.optional(
      z.object({
        tracks: z.tuple([StoredTrack, StoredTrack]),
        upTo: z.number(),
        comparedAt: z.optional(z.number()),
        isLeaning: z.optional(z.boolean()),
      }),
    ),
    awaySince: z.optional(z.number()),
    awayFixes: z.optional(z.number()),
  }),
)

const readPlace = ({ id, name, lat, lng, radius, shape }: NonNullable<WatchRow['place']>) => ({
  id,
  name,
  lat: fromFixed7(lat),
  lng: fromFixed7(lng),
  radius,
  shape: readShape(shape),
})

/**
 * Builds the watch of a row. A new alert, or one whose border changed, starts from the tracker's `last` fix, so that the first departure is
 * not missed.
 */
function buildWatch(row: WatchRow, last: Fix | null, { timeZone, usual }: Pick<Watch, 'timeZone' | 'usual'>): Watch {
  const { state } = row
  const place = row.place && readPlace(row.place)
  const { data } = place ? z.safeParse(StoredCrossing, row.crossing) : { data: UNKNOWN_CROSSING }
  // Named one by one, because a spread takes several times as long.
  const watch: Watch = {
    alertId: row.alertId,
    isVehicleAlert: row.isVehicleAlert,
    trigger: row.trigger,
    place,
    rule: row.rule,
    schedule: row.schedule,
    pause: row.pause,
    timeZone,
    usual,
    crossing: data ?? UNKNOWN_CROSSING,
    state: (state === null ? undefined : z.safeParse(StoredState, state).data) ?? {},
    dueAt: row.dueAt?.getTime() ?? null,
    hasChanged: false,
    firedAt: row.firedAt ?? undefined,
    pair: null,
  }
  return data ? watch : startWatch(watch, last)
}

/** Starts a new alert from the tracker's last known fix. */
export const startWatch = (watch: Watch, last: Fix | null) =>
  watch.place && last
    ? applyFixToWatch(watch, last, {
        isAlarming: false,
        hasStarted: false,
        step: KNOWN_STEP,
        before: null,
        sentSpeed: null,
        reporter: null,
      }).watch
    : watch

/**
 * `before`: the believed fix before this one; `sentSpeed`: the speed (km/h) that the tracker measured; `reporter`: the tracker after the fix.
 */
type FixContext = {
  hasStarted: boolean
  mode: number
  step: Step
  before: Fix | null
  sentSpeed: number | null
  reporter: Reporter | null
}

/** Applies a newer fix to the watches. `hasStarted`: a parked tracker started to move with this fix; `mode`: the mode at that time. */
export function applyFix(watches: Watch[], fix: Fix, { mode, ...context }: FixContext): { watches: Watch[]; firings: Firing[] } {
  const { hasStarted } = context
  if (!hasStarted && watches.every((watch) => isUntouched(watch, fix))) return { watches, firings: [] }
  const isAlarming = hasStarted && firesVehicleAlert(mode)
  const fired: WatchFiring[] = []
  const after = watches.map((watch) => {
    if (isUntouched(watch, fix) && !(hasStarted && watch.rule?.kind === 'moved')) return watch
    const result = applyFixToWatch(watch, fix, { isAlarming, ...context })
    fired.push(...result.fired)
    return result.watch
  })
  const firings = joinFirings(fired, fix)
  // The mode of a tracker reports it, whether or not an alert watches the tracker.
  const isReported = hasStarted && hasVehicleAlert(mode) && !firings.some(({ kind }) => kind === 'vehicle_alert')
  const reported: Firing = { kind: 'vehicle_alert', rule: null, place: null, alertIds: [], fix, at: fix.datetime, pair: null }
  return { watches: after, firings: isReported ? [reported, ...firings] : firings }
}

/** Whether the fix cannot change anything, as with most places of an account. */
function isUntouched({ place, isVehicleAlert, rule, crossing }: Watch, fix: Fix) {
  if (rule !== null && !hasDeadline(rule)) return rule.kind !== 'speed' && rule.kind !== 'unusual' && !isPairRule(rule)
  return place !== null && !isVehicleAlert && remainsOutside(crossing, fix, place)
}

type WatchContext = Omit<FixContext, 'mode'> & { isAlarming: boolean }

function applyFixToWatch(watch: Watch, fix: Fix, { isAlarming, hasStarted, step, before, sentSpeed, reporter }: WatchContext) {
  const { place, trigger, rule, state, usual } = watch
  if (isPairRule(rule) && reporter) return followPairFix(watch, fix, reporter)
  const { border, event } = place ? followBorder(watch.crossing, fix, place, step) : { border: watch.crossing, event: null }
  const isCrossed = event !== null && event === trigger
  const isDrivenOff = watch.isVehicleAlert && isAlarming
  const reading = rule?.kind === 'speed' ? readSpeed(before, fix, sentSpeed) : null
  const speed = rule?.kind === 'speed' && reading ? followSpeed(rule, state, reading, before?.datetime ?? null) : { state, fires: false }
  const followed = rule?.kind === 'unusual' && usual ? followUsual(usual, state, fix) : { state: speed.state, meters: null }
  const kinds = [
    ...(isCrossed ? [`place_${event}` as const] : []),
    ...(isDrivenOff ? ['vehicle_alert' as const] : []),
    ...(rule?.kind === 'moved' && hasStarted ? [rule.kind] : []),
    ...(speed.fires ? ['speed' as const] : []),
    ...(followed.meters !== null ? ['unusual' as const] : []),
  ]
  const hasChanged = watch.hasChanged || followed.state !== state || !areEqual(border, watch.crossing)
  const result = fireWatch({ ...watch, crossing: border, state: followed.state, hasChanged }, kinds, fix.datetime)
  const { meters } = followed
  return meters === null
    ? result
    : { ...result, fired: result.fired.map((fired) => ({ ...fired, fired: { kind: 'unusual' as const, meters } })) }
}

const areEqual = (a: Border, b: Border) =>
  a === b ||
  (a.inside === b.inside &&
    a.leaning === b.leaning &&
    a.sureness === b.sureness &&
    a.evidenceMs === b.evidenceMs &&
    a.beyond === b.beyond &&
    a.isTentative === b.isTentative)
