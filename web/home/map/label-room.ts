export type Box = { left: number; right: number; top: number; bottom: number }

const HEIGHT = 22
const LARGEST = 160
/** Pixels for the icon and the space around it and the name. */
const ICON = 32
/** Estimated pixels per letter, and per CJK character. */
const [LETTER, SIGN] = [6.6, 12]
/** First code point of the CJK blocks. */
const SIGNS = 0x2e80

/** Bounding box of a name whose bottom centre is at the given point. */
export function labelBox({ x, y }: { x: number; y: number }, name: string): Box {
  const text = [...name].reduce((sum, char) => sum + (char.charCodeAt(0) < SIGNS ? LETTER : SIGN), ICON)
  const half = Math.min(text, LARGEST) / 2
  return { left: x - half, right: x + half, top: y - HEIGHT, bottom: y }
}

const doOverlap = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/** Labels that overlap no earlier one; the others get room at a closer zoom. */
export function removeOverlaps<T extends { box: Box }>(labels: readonly T[]) {
  const placed: T[] = []
  for (const label of labels) if (!placed.some(({ box }) => doOverlap(box, label.box))) placed.push(label)
  return placed
}
