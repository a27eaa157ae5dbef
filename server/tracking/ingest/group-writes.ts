import { changeLast, inOrder } from '#db/commit-hooks.ts'
import type { Db, Tx } from '#db/db.ts'
import type { PositionRow, PositionStore } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { Watch } from '#server/alerts/rules/watch.ts'
import { listWatchRows, saveWatchStates, type WatchRow, type WatchState } from '#server/alerts/tracker-alerts.store.ts'
import { buildWatches, loadReporting } from '#server/alerts/tracker-alerts.ts'
import type { NewLiveEvent } from '#server/live/live-log.store.ts'
import { addLatePeriods } from '#server/tracking/history/late-periods.store.ts'
import { findTrackers, saveChanges } from '#server/tracking/history/positions.store.ts'
import { findKnownWatches } from './known-watches.ts'
import { parseState, serializeState, type TrackingState } from './tracking-state.ts'

/** A tracker as the messages of a transaction have left it so far: they are judged one after the other in memory. */
export type Tracker = {
  device: DeviceRow
  /** The saved state as text, and parsed once a message needs it. */
  savedState: string | null
  state?: TrackingState | null | undefined
  watchRows: readonly WatchRow[]
  watches?: Watch[] | undefined
  /** The intervals of a configurable tracker, if a rule depends on them. */
  pace?: Awaited<ReturnType<typeof loadReporting>>
}

/** Loads trackers with all that their messages need, in one round trip. */
export async function loadTrackers(tx: Tx, db: Db, ids: readonly number[]): Promise<Map<number, Tracker>> {
  const known = new Map(ids.map((id) => [id, findKnownWatches(db, id)]))
  const unknown = ids.filter((id) => !known.get(id))
  const [trackers, watchRows] = await Promise.all([findTrackers(tx, ids), listWatchRows(tx, unknown)])
  return new Map(trackers.map(({ device, state }) => [device.id, createTracker(device, state, watchRows, known.get(device.id))]))
}

/** The same for a tracker whose row is known. */
export async function loadTracker(tx: Tx, device: DeviceRow): Promise<Tracker> {
  const [[saved], watchRows] = await Promise.all([findTrackers(tx, [device.id]), listWatchRows(tx, [device.id])])
  return createTracker(device, saved?.state ?? null, watchRows)
}

const createTracker = (device: DeviceRow, savedState: string | null, watchRows: readonly WatchRow[], watches?: Watch[]): Tracker => ({
  device,
  savedState,
  watchRows,
  watches,
})

/** The state that was saved last; null without a suitable one. */
export function stateOf(tracker: Tracker): TrackingState | null {
  if (tracker.state === undefined) tracker.state = parseState(tracker.savedState)
  return tracker.state
}

/** `writes`: the other tracker of a pair may have changed the state of both. */
export async function watchesOf(tx: Tx, tracker: Tracker, writes: GroupWrites) {
  tracker.watches ??= await buildWatches(tx, tracker.watchRows, tracker.device)
  if (tracker.pace === undefined) tracker.pace = await loadReporting(tx, tracker.device, tracker.watches)
  return { watches: writes.shareStates(tracker.watches), pace: tracker.pace }
}

/** Fixes of one message; `late` are the seconds of those older than the newest fix. */
type Fixes = { deviceId: number; rows: PositionRow[]; late: number[]; now: Date; onSaved: (accepted: number) => void }

/** What both trackers of a pair have in common. */
type SharedState = Pick<Watch, 'state' | 'dueAt' | 'firedAt'>

/** What messages write, collected and then written together: one round trip. */
export type GroupWrites = ReturnType<typeof collectWrites>

export function collectWrites(tx: Tx, positions: PositionStore) {
  let fixes: Fixes[] = []
  let events: NewLiveEvent[] = []
  const seen = new Map<number, DeviceRow>()
  const states = new Map<Tracker, TrackingState>()
  const crossings = new Map<string, WatchState>()
  const pairs = new Map<number, SharedState>()

  function takeStates() {
    const texts = new Map<number, string>()
    for (const [tracker, state] of states) {
      tracker.savedState = serializeState(state)
      // A state whose text is saved must not change any more.
      tracker.state = undefined
      texts.set(tracker.device.id, tracker.savedState)
    }
    states.clear()
    return texts
  }

  async function saveFixes() {
    const saved = fixes
    fixes = []
    const added = await positions.addAll(tx, saved)
    for (const [index, { deviceId, rows, late, now, onSaved }] of saved.entries()) {
      const accepted = added[index]!
      onSaved(accepted)
      // Fixes newer than the newest one are always new, so any others are late ones that were not stored.
      if (accepted > rows.length - late.length) await addLatePeriods(tx, deviceId, late, now)
    }
  }

  function takeAll<T>(map: Map<unknown, T>): T[] {
    const all = [...map.values()]
    map.clear()
    return all
  }

  function takeEvents() {
    const taken = events
    events = []
    return taken
  }

  const listChanges = (): (() => Promise<void>)[] => [
    saveFixes,
    () => saveWatchStates(tx, takeAll(crossings)),
    () => saveChanges(tx, { trackers: takeAll(seen), states: takeStates(), events: takeEvents() }),
  ]
  const write = () => inOrder(...listChanges().map((change) => change()))

  return {
    addFixes: (more: Fixes) => void fixes.push(more),
    saveTracker: ({ device }: Tracker) => void seen.set(device.id, device),
    saveState(tracker: Tracker, state: TrackingState) {
      tracker.state = state
      states.set(tracker, state)
    },
    saveWatches(tracker: Tracker, watches: Watch[]) {
      const changed = watches.filter(({ hasChanged }) => hasChanged)
      for (const watch of changed) {
        const deviceId = watch.pair?.first ?? tracker.device.id
        crossings.set(`${watch.alertId} ${deviceId}`, { ...watch, deviceId })
        if (watch.pair) pairs.set(watch.alertId, watch)
      }
      tracker.watches = changed.length > 0 ? watches.map((watch) => (watch.hasChanged ? { ...watch, hasChanged: false } : watch)) : watches
    },
    /** Gives watches of pairs the state in which the last message of either tracker has left them. */
    shareStates(watches: Watch[]): Watch[] {
      if (pairs.size === 0) return watches
      return watches.map((watch) => {
        const shared = watch.pair && pairs.get(watch.alertId)
        return shared ? { ...watch, state: shared.state, dueAt: shared.dueAt, firedAt: shared.firedAt } : watch
      })
    },
    appendEvent: (event: NewLiveEvent) => void events.push(event),
    /** Writes what has been collected. What a message does in another way is done after this. */
    write,
    /** Writes it with the commit. */
    async writeLast() {
      // The periods of late fixes depend on which fixes were new.
      if (fixes.some(({ late }) => late.length > 0)) await write()
      else for (const change of listChanges()) changeLast(tx, change)
    },
  }
}
