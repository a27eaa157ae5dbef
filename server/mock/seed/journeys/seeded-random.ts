/** A pseudo-random number from 0 to 1 (exclusive) that depends on its arguments alone. */
export function seededRandom(...numbers: number[]): number {
  let hash = 0x9e3779b9
  for (const number of numbers) {
    hash = Math.imul(hash ^ (number | 0), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
    hash ^= hash >>> 13
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  return ((hash ^ (hash >>> 15)) >>> 0) / 4_294_967_296
}

/** Pseudo-random noise from -1.5 to 1.5, mostly near 0. */
export const seededNoise = (...numbers: number[]) =>
  seededRandom(...numbers, 1) + seededRandom(...numbers, 2) + seededRandom(...numbers, 3) - 1.5

export const hashText = (text: string) => Math.floor(seededRandom(...Array.from(text, (letter) => letter.charCodeAt(0))) * 2 ** 31)
