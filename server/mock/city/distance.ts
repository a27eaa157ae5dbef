import { height, type Mask, width } from './grid.ts'

const FAR = 1e12

/** The exact distance in cells from each cell to the nearest cell that is `value` in the mask (Felzenszwalb's distance transform). */
export function distanceTo(mask: Mask, value: 0 | 1): Float32Array {
  const field = new Float32Array(mask.length)
  for (let cell = 0; cell < mask.length; cell++) field[cell] = mask[cell] === value ? 0 : FAR
  const sweep = createSweep(Math.max(width, height))
  for (let column = 0; column < width; column++) sweep(field, column, width, height)
  for (let row = 0; row < height; row++) sweep(field, row * width, 1, width)
  for (let cell = 0; cell < field.length; cell++) field[cell] = Math.sqrt(field[cell]!)
  return field
}

/** Turns squared distances along one row or column into squared distances in both directions, using the lower envelope of parabolas. */
function createSweep(longest: number) {
  const values = new Float64Array(longest)
  const vertices = new Uint32Array(longest)
  const borders = new Float64Array(longest + 1)

  return (field: Float32Array, start: number, step: number, length: number) => {
    for (let at = 0; at < length; at++) values[at] = field[start + at * step]!
    let top = 0
    vertices[0] = 0
    borders[0] = -FAR
    borders[1] = FAR
    for (let at = 1; at < length; at++) {
      let border = crossing(at, vertices[top]!)
      while (border <= borders[top]!) border = crossing(at, vertices[--top]!)
      vertices[++top] = at
      borders[top] = border
      borders[top + 1] = FAR
    }
    top = 0
    for (let at = 0; at < length; at++) {
      while (borders[top + 1]! < at) top++
      const vertex = vertices[top]!
      field[start + at * step] = (at - vertex) ** 2 + values[vertex]!
    }
  }

  function crossing(a: number, b: number) {
    return (values[a]! + a * a - values[b]! - b * b) / (2 * (a - b))
  }
}
