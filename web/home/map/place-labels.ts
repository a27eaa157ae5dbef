import type { Circle } from '#contracts/rules/geo/place.ts'

/** Metres per pixel at the equator at zoom 0. */
const METERS_PER_PIXEL = 156_543
/** Minimum in pixels, so that the label clears a tracker's pin in the middle. */
const MIN_RISE = 24
/** A circle with a larger radius in pixels has its label near the middle, because its top is too far away. */
const MAX_RADIUS = 120

/** Pixels between the middle of a circle and the label above it. */
export const labelRise = ({ lat, radius }: Circle, zoom: number) => {
  const pixels = (radius * 2 ** zoom) / (METERS_PER_PIXEL * Math.cos((lat * Math.PI) / 180))
  return pixels > MAX_RADIUS ? MIN_RISE : Math.round(Math.max(MIN_RISE, pixels))
}

type Box = { left: number; right: number; top: number; bottom: number }

const LABEL_HEIGHT = 22
const MAX_WIDTH = 160
/** Pixels for the icon and the space around it and the name. */
const ICON = 32
/** Estimated pixels per letter, and per CJK character. */
const [LETTER, SIGN] = [6.6, 12]
/** First code point of the CJK blocks. */
const SIGNS = 0x2e80

/** Bounding box of a name whose bottom centre is at the given point. */
export function labelBox({ x, y }: { x: number; y: number }, name: string): Box {
  const text = [...name].reduce((sum, char) => sum + (char.charCodeAt(0) < SIGNS ? LETTER : SIGN), ICON)
  const half = Math.min(text, MAX_WIDTH) / 2
  return { left: x - half, right: x + half, top: y - LABEL_HEIGHT, bottom: y }
}

const doOverlap = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/** Labels that overlap no earlier one; the others get room at a closer zoom. */
export function removeOverlaps<T extends { box: Box }>(labels: readonly T[]) {
  const placed: T[] = []
  for (const label of labels) if (!placed.some(({ box }) => doOverlap(box, label.box))) placed.push(label)
  return placed
}
