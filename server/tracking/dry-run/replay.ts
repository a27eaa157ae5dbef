import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import type { Step } from '#contracts/rules/tracking/crossing.ts'
import { createFollowState, followTracker } from '#contracts/rules/tracking/follow.ts'
import type { Work } from '#contracts/rules/work.ts'
import { fromFixed7, type PositionColumns } from '#db/positions.ts'
import { applyFix, type Firing, startWatch, type Watch } from '#server/alerts/tracker-alerts.ts'

type Stored = Pick<PositionColumns, 'time' | 'lat' | 'lng' | 'precision'>

/** A fix that alerts follow, as ingest passes it to them. */
export type BelievedFix = { fix: Fix; step: Step; hasStarted: boolean }

/** The fixes of a period that alerts follow; `last`: the last one before it. */
export type Track = { last: Fix | null; fixes: BelievedFix[] }

/** Fixes between two pauses. */
const PAUSE = 512

/** Follows a tracker again through its stored fixes, with the rules of ingest. The track begins at `from` (ms); the fixes before lead up to it. */
export function* followStored(stored: Stored, from: number): Work<Track> {
  const state = createFollowState()
  const track: Track = { last: null, fixes: [] }
  for (let index = 0; index < stored.time.length; index++) {
    if (index % PAUSE === 0) yield
    const fix = {
      lat: fromFixed7(stored.lat[index]!),
      lng: fromFixed7(stored.lng[index]!),
      precision: stored.precision[index]!,
      datetime: stored.time[index]! * 1000,
    }
    const { isBelieved, step, hasStarted } = followTracker(state, fix)
    if (!isBelieved) continue
    if (fix.datetime < from) track.last = fix
    else track.fixes.push({ fix, step, hasStarted })
  }
  return track
}

export type DryFiring = Pick<Firing, 'kind' | 'fix'>

/** Returns what an alert fires on a track, if it is created where the track begins. `mode`: that of the tracker. */
export function* playAlert(
  { last, fixes }: Track,
  watched: Pick<Watch, 'place' | 'trigger' | 'isVehicleAlert'>,
  mode: number,
): Work<DryFiring[]> {
  const unknown: Watch = { ...watched, alertId: 0, crossing: { inside: null, leaning: null }, hasChanged: false }
  let watches = [startWatch(unknown, last)]
  const fired: DryFiring[] = []
  for (const [index, { fix, step, hasStarted }] of fixes.entries()) {
    if (index % PAUSE === 0) yield
    const result = applyFix(watches, fix, { hasStarted, mode, step })
    watches = result.watches
    for (const { kind, alertIds } of result.firings) if (alertIds.length > 0) fired.push({ kind, fix })
  }
  return fired
}
