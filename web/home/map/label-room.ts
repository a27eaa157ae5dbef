export type Box = { left: number; right: number; top: number; bottom: number }

const HEIGHT = 22
const LARGEST = 160
/** Pixels of the icon and the air around it and the name. */
const ICON = 32
/** Pixels of a letter, and of a sign of the writings that need none between words. */
const [LETTER, SIGN] = [6.6, 12]
/** Where the writings of the Far East begin. */
const SIGNS = 0x2e80

/** What a name takes up whose bottom stands in the middle of a point. */
export function labelBox({ x, y }: { x: number; y: number }, name: string): Box {
  const text = [...name].reduce((sum, char) => sum + (char.charCodeAt(0) < SIGNS ? LETTER : SIGN), ICON)
  const half = Math.min(text, LARGEST) / 2
  return { left: x - half, right: x + half, top: y - HEIGHT, bottom: y }
}

const doMeet = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/** Those that cover none before them; the others find room once the map is closer. */
export function withRoom<T extends { box: Box }>(labels: readonly T[]) {
  const placed: T[] = []
  for (const label of labels) if (!placed.some(({ box }) => doMeet(box, label.box))) placed.push(label)
  return placed
}
