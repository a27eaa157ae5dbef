/** From slow to fast: blue, violet, pink. */
export const SPEED_COLOURS = ['#2563eb', '#4a5be9', '#6350ec', '#7c3aed', '#9d35d6', '#bd2fbb', '#db2777'] as const

/** The number of the colour of a speed on a scale from 0 to `top`. */
export const colourIndex = (speed: number, top: number) => {
  const share = top > 0 ? Math.max(0, Math.min(1, speed / top)) : 0
  return Math.min(SPEED_COLOURS.length - 1, Math.floor(share * SPEED_COLOURS.length))
}

/**
 * Returns a colour per segment of the simplified path, by its mean speed. `kmh[i]` is the speed between points i - 1 and i; entry n
 * belongs to the segment ending at kept point n.
 */
export function colourSegments(index: Uint32Array, kmh: ArrayLike<number>, top: number): Uint8Array {
  const colours = new Uint8Array(index.length)
  for (let kept = 1; kept < index.length; kept++) {
    const [before, at] = [index[kept - 1] ?? 0, index[kept] ?? 0]
    let sum = 0
    for (let each = before + 1; each <= at; each++) sum += kmh[each] ?? 0
    colours[kept] = colourIndex(sum / (at - before), top)
  }
  return colours
}
