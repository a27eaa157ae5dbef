import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { UNKNOWN_CROSSING } from '#contracts/rules/geo/place.ts'
import type { Step } from '#contracts/rules/tracking/crossing.ts'
import { createFollowState, followTracker } from '#contracts/rules/tracking/follow.ts'
import type { Reporter } from '#contracts/rules/tracking/rules/silence.ts'
import type { Work } from '#contracts/rules/work.ts'
import { fromFixed7, type PositionColumns } from '#db/positions.ts'
import { advanceWatches, type FollowedTracker, followRules, startRule } from '#server/alerts/rules/follow-message.ts'
import type { Firing, Watch } from '#server/alerts/rules/watch.ts'
import { applyFix, startWatch } from '#server/alerts/tracker-alerts.ts'

type Stored = Pick<PositionColumns, 'time' | 'lat' | 'lng' | 'precision' | 'speed' | 'battery'>

/** A fix that alerts follow, as ingest passes it to them. `sentSpeed` in km/h. */
export type BelievedFix = { fix: Fix; step: Step; hasStarted: boolean; sentSpeed: number | null }

/** A stored fix as a message; `believed`: null if no alert follows it. `stationarySince` is that after the message (ms). */
type TrackMessage = { at: number; battery: number | null; stationarySince: number | null; believed: BelievedFix | null }

/**
 * The messages of a period, and their fixes that alerts follow; `last`: the last such fix before it. `saidAt`, `restedSince`: the last message
 * before the period, and since when the tracker rested then (ms).
 */
export type Track = {
  last: Fix | null
  saidAt: number | null
  restedSince: number | null
  fixes: BelievedFix[]
  messages: TrackMessage[]
}

/** Fixes between two pauses. */
const PAUSE = 512

/** Follows a tracker again through its stored fixes, with the rules of ingest. The track begins at `from` (ms); the fixes before lead up to it. */
export function* followStored(stored: Stored, from: number): Work<Track> {
  const state = createFollowState()
  const track: Track = { last: null, saidAt: null, restedSince: null, fixes: [], messages: [] }
  for (let index = 0; index < stored.time.length; index++) {
    if (index % PAUSE === 0) yield
    const fix = {
      lat: fromFixed7(stored.lat[index]!),
      lng: fromFixed7(stored.lng[index]!),
      precision: stored.precision[index]!,
      datetime: stored.time[index]! * 1000,
    }
    const { isBelieved, step, hasStarted } = followTracker(state, fix)
    const stationarySince = state.dwell?.since ?? null
    if (fix.datetime < from) {
      Object.assign(track, { saidAt: fix.datetime, restedSince: stationarySince, ...(isBelieved && { last: fix }) })
      continue
    }
    const speed = stored.speed[index] ?? null
    const believed = isBelieved ? { fix, step, hasStarted, sentSpeed: speed === null ? null : speed / 10 } : null
    if (believed) track.fixes.push(believed)
    track.messages.push({ at: fix.datetime, battery: stored.battery[index] ?? null, stationarySince, believed })
  }
  return track
}

/** What an unsaved alert watches. */
export type Watched = Omit<Watch, 'alertId' | 'crossing' | 'state' | 'dueAt' | 'hasChanged' | 'firedAt' | 'pair'>

/** `reporter`: how the tracker reports; the alert is created at `from` (ms) and looked at until `until`. */
export type Play = { reporter: Omit<Reporter, 'lastMessageAt' | 'stationarySince'>; from: number; until: number }

export type DryFiring = Pick<Firing, 'kind' | 'at'> & { fix: Fix }

const toTracker = (
  { type, boardName, mode, pace }: Play['reporter'],
  fix: Fix | null,
  lastMessageAt: number | null,
  stationarySince: number | null,
): FollowedTracker => ({
  // Named one by one: a spread takes several times as long, and this runs once a message.
  reporter: { type, boardName, mode, pace, lastMessageAt, stationarySince },
  fix,
})

export const createWatch = (watched: Watched): Watch => ({
  ...watched,
  alertId: 0,
  crossing: UNKNOWN_CROSSING,
  state: {},
  dueAt: null,
  hasChanged: false,
  pair: null,
})

/** The tracker as it was where the track begins. */
export const startOfTrack = ({ last, saidAt, restedSince }: Track, reporter: Play['reporter']) =>
  toTracker(reporter, last, saidAt, restedSince)

/** Returns what an alert fires on a track, if it is created where the track begins. Between two messages time goes on, as for a job. */
export function* playAlert(track: Track, watched: Watched, { reporter, from, until }: Play): Work<DryFiring[]> {
  const fired: DryFiring[] = []
  let tracker = startOfTrack(track, reporter)
  let watches = [startRule(startWatch(createWatch(watched), track.last), tracker, from)]
  function note({ watches: after, firings }: { watches: Watch[]; firings: Firing[] }) {
    watches = after
    for (const { kind, at, fix, alertIds } of firings) if (alertIds.length > 0 && fix) fired.push({ kind, at, fix })
  }
  let index = 0
  for (const { at, battery, stationarySince, believed } of track.messages) {
    if (index++ % PAUSE === 0) yield
    note(advanceWatches(watches, tracker, at))
    if (believed) {
      const { fix, step, hasStarted, sentSpeed } = believed
      note(applyFix(watches, fix, { step, hasStarted, sentSpeed, mode: reporter.mode, before: tracker.fix, reporter: null }))
    }
    const after = toTracker(reporter, believed?.fix ?? tracker.fix, at, stationarySince)
    note(followRules(watches, { before: tracker, after, now: at, battery, pressedAt: null }))
    tracker = after
  }
  note(advanceWatches(watches, tracker, until))
  return fired
}
