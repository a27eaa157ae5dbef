import { setMaxListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const PATHS = ['/devices/?type=tracker', '/options/', '/users/settings/', '/tracker_places/', '/demo/world', '/mock/mail', '/users/orders/']
const PAUSE_MS = 1000

type OnResponse = (ms: number, status: number) => void

/** A visitor with their own IP address who signs in, reads and changes something until `over` is aborted. */
async function runVisitor(origin: string, index: number, over: AbortSignal, onResponse: OnResponse) {
  const headers: Record<string, string> = { 'x-forwarded-for': `10.${index >> 8}.${index & 255}.1` }
  const fetchTimed = async (path: string, init: RequestInit = {}) => {
    const begin = performance.now()
    const answer = await fetch(origin + path, { ...init, redirect: 'manual', headers: { ...headers, ...init.headers } })
    await answer.arrayBuffer()
    onResponse(performance.now() - begin, answer.status)
    return answer
  }
  const entered = await fetchTimed('/?demo=family&as=alice')
  headers.cookie = entered.headers.getSetCookie()[0]!.split(';', 1)[0]!
  const code = new URL(entered.headers.get('location')!, origin).searchParams.get('hand_off')
  const redeem = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify({ hand_off: code }) }
  const { token } = (await (await fetch(`${origin}/api/v1/auth/hand_off/redeem/`, redeem)).json()) as { token: string }
  headers.authorization = `Bearer ${token}`
  for (let round = 0; !over.aborted; round++) {
    for (const path of PATHS) {
      if (over.aborted) return
      await fetchTimed(path)
      await pause(PAUSE_MS, undefined, { signal: over }).catch(() => undefined)
    }
    const body = JSON.stringify({ firstname: `Alice ${round}` })
    await fetchTimed('/users/settings/', { method: 'PATCH', headers: { 'content-type': 'application/json' }, body })
  }
}

/** Upper limits: memory growth after warm-up in MB, and the 95th percentile of response times in ms. */
const LIMITS = { grown: 250, p95: 250 }
/** Share of the run in which worlds are created and code is compiled. */
const WARM_UP_SHARE = 0.2

type Server = { origin: string; pid: number }
type Options = { visitors: number; seconds: number }

export async function runSoak({ origin, pid }: Server, { visitors, seconds }: Options) {
  const times: number[] = []
  const refused: number[] = []
  const over = AbortSignal.timeout(seconds * 1000)
  setMaxListeners(0, over)
  const start = readMemoryMb(pid)
  const onResponse = (ms: number, status: number) => {
    times.push(ms)
    if (status >= 400) refused.push(status)
  }
  const all = Promise.all(Array.from({ length: visitors }, (_, index) => runVisitor(origin, index, over, onResponse)))
  await Promise.race([all, pause(seconds * 1000 * WARM_UP_SHARE)])
  const warm = readMemoryMb(pid)
  await all
  const end = readMemoryMb(pid)
  const p95 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]!
  return {
    calls: times.length,
    refused: refused.length,
    p95,
    start,
    warm,
    end,
    holds: refused.length === 0 && p95 <= LIMITS.p95 && end - warm <= LIMITS.grown,
  }
}

const readMemoryMb = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

export const formatReport = ({ calls, refused, p95, start, warm, end, holds }: Awaited<ReturnType<typeof runSoak>>) =>
  [
    `${calls} calls, ${refused} refused, p95 ${p95.toFixed(0)} ms (at most ${LIMITS.p95})`,
    `memory: ${start.toFixed(0)} MB at the start, ${warm.toFixed(0)} MB warm, ${end.toFixed(0)} MB at the end (at most ${LIMITS.grown} MB more than warm)`,
    holds ? 'It holds.' : 'It does not hold.',
  ].join('\n')
