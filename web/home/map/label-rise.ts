import type { Circle } from '#contracts/rules/geo/place.ts'

/** Metres per pixel at the equator at zoom 0. */
const METERS_PER_PIXEL = 156_543
/** Minimum in pixels, so that the label clears a tracker's pin in the middle. */
const PIN = 24
/** A circle with a larger radius in pixels has its label near the middle, because its top is too far away. */
const LARGEST = 120

/** Pixels between the middle of a circle and the label above it. */
export const labelRise = ({ lat, radius }: Circle, zoom: number) => {
  const pixels = (radius * 2 ** zoom) / (METERS_PER_PIXEL * Math.cos((lat * Math.PI) / 180))
  return pixels > LARGEST ? PIN : Math.round(Math.max(PIN, pixels))
}
