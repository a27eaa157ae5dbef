import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Db } from '#db/db.ts'

/** Shorter than what a person notices, and longer than anything that a test does in between. */
const MOST_MS = 15
const PROBABILITY = 0.5

type Delays = { wait(): Promise<void> }

/** The delays of the test that runs; undefined in usual runs. */
let current: Delays | undefined

/** Numbers from 0 to below 1 that depend on the seed alone (mulberry32). */
function createDraw(seed: string) {
  let state = createHash('sha256').update(seed).digest().readUInt32LE()
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Delays of half of all steps, drawn from a seed. `setTimer` is the real one, also while a test has replaced it. */
export function createDelays(seed: string, setTimer: (done: () => void, ms: number) => unknown): Delays {
  const draw = createDraw(seed)
  return {
    wait() {
      const [isDelayed, part] = [draw() < PROBABILITY, draw()]
      return isDelayed ? new Promise((resolve) => setTimer(resolve, Math.ceil(part * MOST_MS))) : Promise.resolve()
    },
  }
}

export const setDelays = (delays: Delays | undefined) => {
  current = delays
}

export const wait = () => current?.wait() ?? Promise.resolve()

/** Delays requests before they are handled, and responses before they are sent. */
export function delayResponses(app: FastifyInstance) {
  if (!process.env.TEST_DELAYS) return
  app.addHook('onRequest', wait)
  app.addHook('onSend', async () => wait() as Promise<never>)
}

const delayed = new WeakSet<object>()

/** Delays the begin of transactions and leases, and what follows their end. */
export function delayStore<D extends Pick<Db, 'write' | 'long' | 'lease'>>(db: D): D {
  if (!process.env.TEST_DELAYS) return db
  for (const part of [db, db.long]) {
    if (delayed.has(part)) continue
    delayed.add(part)
    const write = part.write.bind(part)
    part.write = async (...args) => {
      await wait()
      const result = await write(...args)
      await wait()
      return result as never
    }
  }
  return db
}
