/** Creates a generator of numbers from 0 up to 1 that repeats with the seed (mulberry32). */
export function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let drawn = Math.imul(state ^ (state >>> 15), state | 1)
    drawn ^= drawn + Math.imul(drawn ^ (drawn >>> 7), drawn | 61)
    return ((drawn ^ (drawn >>> 14)) >>> 0) / 2 ** 32
  }
}
