import { PLACE_RADIUS } from '#contracts/lib/constants.ts'

/** Stops of the slider in metres, each about a quarter larger than the last, so that a house and a city are equally easy to set. */
export const RADIUS_STEPS = [
  50, 75, 100, 125, 150, 200, 250, 300, 400, 500, 650, 800, 1000, 1250, 1500, 2000, 2500, 3000, 4000, 5000, 6500, 8000, 10_000,
] as const

/** Index of the nearest stop on a logarithmic scale. */
export const nearestStep = (radius: number) => {
  const far = RADIUS_STEPS.map((stop) => Math.abs(Math.log(stop / Math.max(1, radius))))
  return far.indexOf(Math.min(...far))
}

/** Rounds a distance dragged on the map to a valid radius in metres. */
export const roundRadius = (meters: number) => {
  const grain = meters < 1000 ? 10 : 100
  return Math.min(PLACE_RADIUS.max, Math.max(PLACE_RADIUS.min, Math.round(meters / grain) * grain))
}

/** Parses a radius in metres; null if it is invalid. */
export const parseRadius = (text: string) => {
  const radius = Number(text)
  return Number.isInteger(radius) && radius >= PLACE_RADIUS.min && radius <= PLACE_RADIUS.max ? radius : null
}
