import type { Circle } from '#contracts/rules/places.ts'

/** Metres of one pixel at the equator, zoom 0. */
const METERS_PER_PIXEL = 156_543
/** A tracker's pin may stand in the middle. */
const PIN = 24
/** The top of a larger circle is far from what it is about. */
const LARGEST = 120

/** Pixels between the middle of a circle and the label above it. */
export const labelRise = ({ lat, radius }: Circle, zoom: number) => {
  const pixels = (radius * 2 ** zoom) / (METERS_PER_PIXEL * Math.cos((lat * Math.PI) / 180))
  return pixels > LARGEST ? PIN : Math.round(Math.max(PIN, pixels))
}
