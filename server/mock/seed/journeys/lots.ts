/** A pseudo-random number from 0 to 1 (exclusive) that depends on its arguments alone. */
export function lot(...numbers: number[]): number {
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
export const drift = (...numbers: number[]) => lot(...numbers, 1) + lot(...numbers, 2) + lot(...numbers, 3) - 1.5

/** Hashes a text to a whole number. */
export const numberOf = (text: string) => Math.floor(lot(...Array.from(text, (letter) => letter.charCodeAt(0))) * 2 ** 31)
