import { isIPv6 } from 'node:net'
import type { Clock } from '#server/ports/clock.ts'

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

/** Number of windows beyond which the expired ones are removed. */
const MAX_WINDOWS = 10_000

/** Allows `max` requests per key in a window that starts with the first one. Returns the seconds to wait, 0 when allowed. */
export function createRateLimit({ max, ms }: { max: number; ms: number }, wall: Clock) {
  const windows = new Map<string, { count: number; ends: number }>()
  return (key: string) => {
    const now = wall.now().getTime()
    if (windows.size > MAX_WINDOWS) for (const [old, { ends }] of windows) if (ends <= now) windows.delete(old)
    const known = windows.get(key)
    const window = known && known.ends > now ? known : { count: 0, ends: now + ms }
    windows.set(key, window)
    window.count++
    return window.count > max ? Math.ceil((window.ends - now) / 1000) : 0
  }
}
