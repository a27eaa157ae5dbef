import type { Leg } from './trips.ts'

/** Metres and moving time of the trips, the longest stop (ms) and the number of stops; gaps don't count. */
export const totalsOf = (legs: readonly Leg[]) => {
  const sum = (kind: Leg['kind'], of: 'meters' | 'durationMs') =>
    legs.reduce((total, leg) => (leg.kind === kind ? total + leg[of] : total), 0)
  const stops = legs.filter(({ kind }) => kind === 'stop')
  return {
    meters: sum('trip', 'meters'),
    movingMs: sum('trip', 'durationMs'),
    longestStopMs: Math.max(0, ...stops.map(({ durationMs }) => durationMs)),
    stops: stops.length,
  }
}
