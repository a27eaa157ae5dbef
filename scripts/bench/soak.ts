import { setMaxListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { visitor } from './soak-visitor.ts'

/** Upper limits: memory growth after warm-up in MB, and the 95th percentile of response times in ms. */
const BARS = { grown: 250, p95: 250 }
/** Share of the run in which worlds are created and code is compiled. */
const WARM_UP = 0.2

type Server = { origin: string; pid: number }
type Options = { visitors: number; seconds: number }

/** Lets `visitors` use a demo at the same time and measures response times and memory against the limits. */
export async function soak({ origin, pid }: Server, { visitors, seconds }: Options) {
  const times: number[] = []
  const refused: number[] = []
  const over = AbortSignal.timeout(seconds * 1000)
  setMaxListeners(0, over)
  const start = megabytes(pid)
  const told = (ms: number, status: number) => {
    times.push(ms)
    if (status >= 400) refused.push(status)
  }
  const all = Promise.all(Array.from({ length: visitors }, (_, index) => visitor(origin, index, over, told)))
  await Promise.race([all, pause(seconds * 1000 * WARM_UP)])
  const warm = megabytes(pid)
  await all
  const end = megabytes(pid)
  const p95 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]!
  return {
    calls: times.length,
    refused: refused.length,
    p95,
    start,
    warm,
    end,
    holds: refused.length === 0 && p95 <= BARS.p95 && end - warm <= BARS.grown,
  }
}

/** Resident memory of a process in MB (Linux only). */
const megabytes = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

export const reportOf = ({ calls, refused, p95, start, warm, end, holds }: Awaited<ReturnType<typeof soak>>) =>
  [
    `${calls} calls, ${refused} refused, p95 ${p95.toFixed(0)} ms (at most ${BARS.p95})`,
    `memory: ${start.toFixed(0)} MB at the start, ${warm.toFixed(0)} MB warm, ${end.toFixed(0)} MB at the end (at most ${BARS.grown} MB more than warm)`,
    holds ? 'It holds.' : 'It does not hold.',
  ].join('\n')
