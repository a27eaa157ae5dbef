import { setTimeout as pause } from 'node:timers/promises'

/** Requests of a visitor's portal, repeated in this order. */
const CALLS = ['/devices/?type=tracker', '/options/', '/users/settings/', '/tracker_places/', '/demo/world', '/mock/mail', '/users/orders/']
const PAUSE_MS = 1000

type Told = (ms: number, status: number) => void

/** A visitor with their own IP address who signs in, reads and changes something until `over` is aborted. */
export async function visitor(origin: string, index: number, over: AbortSignal, told: Told) {
  const headers: Record<string, string> = { 'x-forwarded-for': `10.${index >> 8}.${index & 255}.1` }
  const timed = async (path: string, init: RequestInit = {}) => {
    const begin = performance.now()
    const answer = await fetch(origin + path, { ...init, redirect: 'manual', headers: { ...headers, ...init.headers } })
    await answer.arrayBuffer()
    told(performance.now() - begin, answer.status)
    return answer
  }
  const entered = await timed('/?demo=family&as=alice')
  headers.cookie = entered.headers.getSetCookie()[0]!.split(';', 1)[0]!
  headers.authorization = `Bearer ${new URL(entered.headers.get('location')!, origin).searchParams.get('token')}`
  for (let round = 0; !over.aborted; round++) {
    for (const path of CALLS) {
      if (over.aborted) return
      await timed(path)
      await pause(PAUSE_MS, undefined, { signal: over }).catch(() => undefined)
    }
    const body = JSON.stringify({ firstname: `Alice ${round}` })
    await timed('/users/settings/', { method: 'PATCH', headers: { 'content-type': 'application/json' }, body })
  }
}
