import type { Spot } from '#server/mock/seed/records/spots.ts'
import type { Travel } from './way.ts'

/** A spot, or a point so many metres to the east and to the north of one. */
export type Target = Spot | readonly [Spot, east: number, north: number]

/**
 * A move to a target. `leave` and `arrive` are minutes from the anchor on the day of the anchor, and as much from the same
 * time of the other days; `after` is minutes of rest since the move before. Of several targets the first is that of the
 * anchor's day.
 */
export type Move = { to: readonly Target[] } & ({ leave: number } | { arrive: number } | { after: number })

/** How one simulated tracker lives: where it spends its nights, what it does on a day (0 is that of the anchor). */
export type Profile = {
  id: number
  by: Travel
  speed: number
  base: Target
  moves: (day: number) => Move[]
  /** On other days, too, to the minute. */
  isPunctual?: boolean
}

export const leave = (minutes: number, ...to: Target[]): Move => ({ to, leave: minutes })
export const arrive = (minutes: number, ...to: Target[]): Move => ({ to, arrive: minutes })
export const after = (minutes: number, ...to: Target[]): Move => ({ to, after: minutes })

/** From target to target with short stops, each time from another beginning of the list. */
export const rounds = (count: number, stop: number, ...targets: Target[]): Move[] =>
  Array.from({ length: count }, (_, index) => {
    const first = (index * 3 + 1) % targets.length
    return after(stop + (index % 4) * 3, ...targets.slice(first), ...targets.slice(0, first))
  })

/** Metres per second. */
export const SPEED = { dog: 1.35, cat: 0.7, walk: 1.25, bike: 4.4, car: 10.5, van: 9, plane: 52 } as const
