import { BOOST_INTERVAL_SECONDS } from '#contracts/rules/navigation.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import { emissionMinutes, type MinuteRange, movingFrequency, stationaryFrequency } from '#contracts/rules/tracking/reporting.ts'
import type { DeviceType } from '#contracts/rules/tracking/tracker.ts'
import type { TravelMode } from './paths.ts'

/** The range of minutes between reports; `moving` is null for a tracker that sends none. Boosted until second `boostUntil`. */
export type Cadence = { moving: MinuteRange | null; still: MinuteRange; boostUntil?: number }

type Settings = { type: DeviceType; boardName: string; mode: number; sct2?: { frequency: number; keepalivePeriod: number } | undefined }

/** The product's cadence: by type and mode while moving, every four hours at rest, none in plane mode. */
export const productCadence = ({ type, boardName, mode, sct2 }: Settings): Cadence => ({
  moving: movingFrequency(type, boardName, mode, sct2?.frequency),
  still: stationaryFrequency(modeLabel(mode).kind === 'configurable' ? sct2?.keepalivePeriod : undefined),
})

/** Seconds after departure until a tracker has certainly left. */
const DEPARTURE_CONFIRMED_SECONDS: Record<TravelMode, number> = { foot: 75, wheels: 30, air: 30 }
/** Seconds after arrival until a tracker reports that it stands still. */
export const STOP_CONFIRMED_SECONDS = 540

type State = { isMoving: boolean; since: number; until: number }

/** Computes the second of the next fix after that of second `last`, made in `state`; `share` (0 to 1) picks from the range of minutes. */
export function nextFixSecond(
  { isMoving, since, until }: State,
  last: number,
  cadence: Cadence,
  { by, share }: { by: TravelMode; share: number },
) {
  const { moving, still, boostUntil = Number.NEGATIVE_INFINITY } = cadence
  if (!moving) return Number.POSITIVE_INFINITY
  const later = (range: MinuteRange) => last + Math.round(emissionMinutes(range, share) * 60)
  const departed = (isMoving ? since : until) + DEPARTURE_CONFIRMED_SECONDS[by]
  const due = isMoving ? [last < departed ? departed : later(moving), until] : [later(still), departed]
  if (!isMoving && last < since + STOP_CONFIRMED_SECONDS) due.push(since + STOP_CONFIRMED_SECONDS)
  if (last + BOOST_INTERVAL_SECONDS <= boostUntil) due.push(last + BOOST_INTERVAL_SECONDS)
  return Math.min(...due)
}
