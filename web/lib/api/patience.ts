import { REQUEST_TIMEOUT_MS } from '#contracts/lib/requests.ts'

/** Periods of `REQUEST_TIMEOUT_MS` that a request may take while the network delivers anything at all: 3 minutes. */
const MAX_PERIODS = 6

let arrivedAt = Number.NEGATIVE_INFINITY
if (typeof PerformanceObserver !== 'undefined')
  new PerformanceObserver(() => {
    arrivedAt = performance.now()
  }).observe({ type: 'resource' })

/**
 * The time limit of a request. A server that sends nothing is given up after 30 seconds; a slow connection that is still delivering, this
 * response or another, is not a failure.
 */
export function createPatience() {
  const limit = new AbortController()
  let isAnswered = false
  const watch = (periods: number) => {
    const from = performance.now()
    const period = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    period.addEventListener('abort', () => {
      if (periods > 1 && (isAnswered || arrivedAt >= from)) watch(periods - 1)
      else limit.abort(period.reason)
    })
  }
  watch(MAX_PERIODS)
  return {
    signal: limit.signal,
    /** The response has begun. */
    answered() {
      isAnswered = true
    },
  }
}
