import { BusyDatabase } from '#db/classify-error.ts'

/** Work that waits longer for its turn is rejected, like work for which the pool has no connection. */
const PATIENCE_MS = 10_000

type Query = { query(...args: unknown[]): unknown }

/**
 * The most connections of a pool that each kind of work may take, so that some remain when one kind is blocked: by a locked table, a slow
 * statement or the lock of an account.
 */
export function sharesOf(connections: number) {
  return {
    /** History, files and imports. */
    long: Math.max(1, Math.floor(connections / 2)),
    writes: Math.max(1, connections - Math.max(1, Math.floor(connections / 5))),
    statement: Math.ceil(connections * 0.3),
    /** Transactions that share a lock: one runs, and one waits for it. */
    lock: connections < 4 ? 1 : 2,
  }
}

export type Lane = ReturnType<typeof createLane>

/** Runs at most `max` tasks at once; others wait in order. */
export function createLane(max: number, patienceMs = PATIENCE_MS) {
  const waiting = new Set<() => void>()
  let running = 0

  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(begin)
        reject(new BusyDatabase())
      }, patienceMs)
      waiting.add(begin)
    })

  function leave() {
    const [next] = waiting
    if (!next) return void running--
    waiting.delete(next)
    next()
  }

  return {
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (running >= max) await turn()
      else running++
      try {
        return await work()
      } finally {
        leave()
      }
    },
    isIdle: () => running === 0,
    waiting: () => waiting.size,
  }
}

/** One lane per key, as long as it has work. */
export function createLanes(max: number, patienceMs?: number) {
  const lanes = new Map<string, Lane>()
  return {
    async run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const lane = lanes.get(key) ?? createLane(max, patienceMs)
      lanes.set(key, lane)
      try {
        return await lane.run(work)
      } finally {
        if (lane.isIdle()) lanes.delete(key)
      }
    },
    waiting: () => [...lanes.values()].reduce((sum, lane) => sum + lane.waiting(), 0),
  }
}

/** Queries of a pool that runs at most `max` with the same text at once. */
export function limitStatements<T extends Query>(pool: T, lanes: ReturnType<typeof createLanes>): T {
  const query = (...args: unknown[]) => lanes.run(keyOf(args[0]), async () => pool.query(...args))
  return { query } as unknown as T
}

/** Queries of a pool that run in a lane. */
export function limitQueries<T extends Query>(pool: T, lane: Lane): T {
  const query = (...args: unknown[]) => lane.run(async () => pool.query(...args))
  return { query } as unknown as T
}

/** The name or the text of a statement, without the length of its lists. */
function keyOf(statement: unknown) {
  if (typeof statement === 'string') return withoutLists(statement)
  const { name, text = '' } = statement as { name?: string; text?: string }
  return name ?? withoutLists(text)
}

const withoutLists = (text: string) => text.replace(/\$\d+(, \$\d+)+/g, '$')
