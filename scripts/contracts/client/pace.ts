import type { Io } from './io.ts'

/** Returns a function that resolves when the next request may start, at most `rps` times a second. */
export function createPace(rps: number, { now, pause }: Pick<Io, 'now' | 'pause'>) {
  const gap = 1000 / rps
  let next = 0
  return async () => {
    const at = now().getTime()
    const wait = next - at
    next = Math.max(next, at) + gap
    if (wait > 0) await pause(wait)
  }
}
