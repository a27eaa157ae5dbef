import type { Spot } from '#server/mock/seed/records/spots.ts'
import type { TravelMode } from './paths.ts'

/** A spot, or a point offset from one by metres to the east and to the north. */
export type Target = Spot | readonly [Spot, east: number, north: number]

/**
 * A move to a target. `leave` and `arrive` are minutes from the anchor's time of day; `after` is minutes of rest since the previous move.
 * The day of the anchor takes the first of several targets.
 */
export type Move = { to: readonly Target[] } & ({ leave: number } | { arrive: number } | { after: number })

/** The behaviour of a simulated tracker: its base for the night, and its moves on a day (0 is that of the anchor). */
export type Profile = {
  id: number
  by: TravelMode
  speed: number
  base: Target
  moves: (day: number) => Move[]
  /** Departs at the same minute on all days, not only on that of the anchor. */
  isPunctual?: boolean
}

export const leave = (minutes: number, ...to: Target[]): Move => ({ to, leave: minutes })
export const arrive = (minutes: number, ...to: Target[]): Move => ({ to, arrive: minutes })
export const after = (minutes: number, ...to: Target[]): Move => ({ to, after: minutes })

/** Moves between targets with short stops, each starting at another one of the list. */
export const rounds = (count: number, stop: number, ...targets: Target[]): Move[] =>
  Array.from({ length: count }, (_, index) => {
    const first = (index * 3 + 1) % targets.length
    return after(stop + (index % 4) * 3, ...targets.slice(first), ...targets.slice(0, first))
  })

export const SPEED_MPS = { dog: 1.35, cat: 0.7, walk: 1.25, bike: 4.4, car: 10.5, van: 9, plane: 52 } as const
