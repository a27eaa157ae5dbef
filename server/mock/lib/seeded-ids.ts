import { createHash } from 'node:crypto'
import type { Ids } from '#server/ports/ids.ts'

export type SeededIds = Ids & {
  count(): number
}

/**
 * Creates ids that repeat with the seed, so that a failing test fails the same way again. `count` ids are skipped. Never for production.
 */
export function createSeededIds(seed: number, count = 0): SeededIds {
  const next = () => createHash('sha256').update(`${seed}:${count++}`).digest('hex')
  return {
    uuid() {
      const hex = next()
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    },
    token: () => next().slice(0, 40),
    count: () => count,
  }
}
