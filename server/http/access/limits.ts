import { isIPv6 } from 'node:net'
import pLimit from 'p-limit'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { forgetTries, readTries, setTries } from '#db/throttle.ts'
import { throttledFor } from '#server/lib/errors.ts'

/** Returns the key under which an address is limited: an IPv6 user has 2^64 addresses, so their /64 network counts as one. */
export function networkKey(ip: string) {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped || !isIPv6(ip)) return mapped ?? ip
  const [head = '', tail] = ip.split('::')
  const before = head ? head.split(':') : []
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0')
  const network = [...before, ...zeros, ...after].slice(0, 4)
  return `${network.map((part) => Number.parseInt(part, 16).toString(16)).join(':')}::/64`
}

export type Limit = { max: number; windowMinutes: number }

/**
 * Counts an attempt; its window starts with the first. Throws `throttled` at `max`. Check and count share a transaction, so simultaneous
 * attempts are counted one by one.
 */
export async function countAttempt(tx: Tx, key: string, limit: Limit, now: Date) {
  const end = await takeAttempt(tx, key, limit, now)
  if (end) throw throttledFor(end.getTime() - now.getTime())
}

/** Counts an attempt like `countAttempt`, but returns the end of the window when there were too many. */
export async function takeAttempt(tx: Tx, key: string, { max, windowMinutes }: Limit, now: Date): Promise<Date | null> {
  const tries = await readTries(tx, key, now)
  const count = tries?.count ?? 0
  if (tries && count >= max) return tries.resetsAt
  await setTries(tx, { key, count: count + 1, resetsAt: tries?.resetsAt ?? new Date(now.getTime() + windowMinutes * MINUTE_MS) })
  return null
}

/** Attempts without a delay; each further one must come 1, 2, 4 … seconds after the previous one, at most `maxSeconds`. */
export type Slowdown = { free: number; maxSeconds: number; windowMinutes: number }

/**
 * Counts an attempt that is delayed more with each attempt, but never blocked. One that comes too early is not counted; returns the
 * remaining milliseconds, else 0.
 */
export async function takeSlowed(tx: Tx, key: string, { free, maxSeconds, windowMinutes }: Slowdown, now: Date) {
  const tries = await readTries(tx, key, now)
  const windowMs = windowMinutes * MINUTE_MS
  const count = tries?.count ?? 0
  if (tries && count >= free) {
    const lastAt = tries.resetsAt.getTime() - windowMs
    const early = lastAt + Math.min(2 ** (count - free), maxSeconds) * 1000 - now.getTime()
    if (early > 0) return early
  }
  await forgetTries(tx, key)
  await setTries(tx, { key, count: count + 1, resetsAt: new Date(now.getTime() + windowMs) })
  return 0
}

/** Limits parallel password hashes, which take 19 MiB and a core each, so that a flood of logins cannot exhaust the machine. */
const runHash = pLimit(3)
const turns = new Map<string, ReturnType<typeof pLimit>>()

/**
 * Runs the work on a password in its turn. Each network has one turn at a time, so that a network with many requests delays others only by
 * its one hash.
 */
export async function runPasswordWork<T>(network: string | null, work: () => Promise<T>): Promise<T> {
  const name = network ?? ''
  const ofNetwork = turns.get(name) ?? pLimit(1)
  turns.set(name, ofNetwork)
  try {
    return await ofNetwork(() => runHash(work))
  } finally {
    if (ofNetwork.activeCount + ofNetwork.pendingCount === 0) turns.delete(name)
  }
}
