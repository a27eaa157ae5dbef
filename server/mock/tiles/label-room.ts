import { type Point, UNITS } from './fit-tile.ts'

const narrow = new Set("ijlftrI.,' ()")
const wide = new Set('mwMWQOGD')

/**
 * Estimates the width of a text at font size 1. An image can neither measure text nor be sure of its font, so the estimate is generous:
 * better spare room than a cut label.
 */
export function textWidth(text: string): number {
  let width = 0
  for (const letter of text) width += narrow.has(letter) ? 0.36 : wide.has(letter) ? 0.86 : letter !== letter.toLowerCase() ? 0.7 : 0.6
  return width
}

/**
 * Keeps the labels of a tile apart and inside it. A label is a row of discs, placed only when none overlaps another label or the border.
 */
export function createLabelRoom(margin: number) {
  const placed: { at: Point; radius: number }[] = []
  const names = new Set<string>()

  return {
    /** Whether the name is already placed, ignoring case. */
    has: (name: string) => names.has(name.toLowerCase()),
    place(name: string, centres: Point[], radius: number): boolean {
      const isFree = centres.every(([x, y]) => {
        const reach = radius + margin
        const isInside = x >= reach && y >= reach && x <= UNITS - reach && y <= UNITS - reach
        return isInside && placed.every((other) => Math.hypot(other.at[0] - x, other.at[1] - y) >= radius + other.radius)
      })
      if (!isFree) return false
      names.add(name.toLowerCase())
      for (const at of centres) placed.push({ at, radius })
      return true
    },
  }
}

export type LabelRoom = ReturnType<typeof createLabelRoom>

/** Centres of overlapping discs along a line of the given length. */
export function discsAlong(length: number, radius: number, at: (distance: number) => Point): Point[] {
  const count = Math.max(1, Math.ceil(length / (radius * 1.5))) + 1
  return Array.from({ length: count }, (_, index) => at((length * index) / (count - 1)))
}
