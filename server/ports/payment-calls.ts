import type { Log } from './world.ts'

const FIRST_PAUSE_MS = 5000
/** How long paid purchases may wait after Stripe is back. */
const LONGEST_PAUSE_MS = 60_000
const LOG_EVERY_MS = 60_000
/** Time limit for running calls when the server stops. */
const GRACE_MS = 3000
const REFUSED_KEY = 401
const TOO_MANY = 429
const BROKEN = 500

/** Whether real money moves with a Stripe key. */
export const isLiveKey = (key: string) => /^(sk|rk|pk)_live_/.test(key)

export type PaymentCalls = {
  send: typeof fetch
  /** Whether background work should wait: Stripe did not respond lately, or the server is stopping. */
  isPaused(): boolean
  /** Stops all calls; running ones end within seconds. */
  close(): void
}

/**
 * Watches the calls to Stripe. While Stripe is unreachable, background work pauses for half of the outage's duration, from five seconds to
 * a minute: a short outage, in which each call takes its ten seconds and is repeated, delays it only shortly. One line a minute is logged.
 */
export function watchPaymentCalls(
  send: typeof fetch,
  log?: Pick<Log, 'info' | 'warn'>,
  readMonotonicMs = () => performance.now(),
): PaymentCalls {
  const closing = new AbortController()
  let isClosing = false
  let failures = 0
  let failingSince: number | undefined
  let pausedUntil = Number.NEGATIVE_INFINITY
  let loggedAt = Number.NEGATIVE_INFINITY

  function recordFailure(reason: string) {
    const now = readMonotonicMs()
    failures++
    failingSince ??= now
    // Simultaneous calls begin one pause.
    if (now >= pausedUntil) pausedUntil = now + Math.min(Math.max((now - failingSince) / 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
    if (now - loggedAt < LOG_EVERY_MS) return
    loggedAt = now
    const pause_seconds = Math.round((pausedUntil - now) / 1000)
    log?.warn({ reason, failures, pause_seconds }, 'the card provider does not answer')
  }

  function recordSuccess() {
    if (failures > 0) log?.info({ failures }, 'the card provider answers again')
    failures = 0
    failingSince = undefined
    pausedUntil = Number.NEGATIVE_INFINITY
    loggedAt = Number.NEGATIVE_INFINITY
  }

  return {
    async send(input, init) {
      const signals = [closing.signal, ...(init?.signal ? [init.signal] : [])]
      try {
        closing.signal.throwIfAborted()
        const response = await send(input, { ...init, signal: AbortSignal.any(signals) })
        const fault = findFault(response)
        if (fault) recordFailure(fault)
        else recordSuccess()
        return response
      } catch (error) {
        if (!closing.signal.aborted) recordFailure(describe(error))
        throw error
      }
    },
    isPaused: () => isClosing || readMonotonicMs() < pausedUntil,
    close() {
      isClosing = true
      setTimeout(() => closing.abort(), GRACE_MS).unref()
    },
  }
}

/** Why a response does not come from Stripe's API for our key; null when it does. */
function findFault({ status, headers }: Response) {
  if (status >= BROKEN || status === TOO_MANY) return `status ${status}`
  if (status === REFUSED_KEY) return 'status 401: STRIPE_SECRET_KEY is refused'
  const type = headers.get('content-type') ?? ''
  return type.includes('html') ? `status ${status} with a web page: this is not the API of Stripe` : null
}

/** `fetch failed` has its reason in the cause. */
function describe(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
