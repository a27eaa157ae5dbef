/** A request that the page started before its scripts were loaded (`web/app/start/start.ts`). */
export type StartedRequest = {
  url: string
  authorization: string | null
  answer: Promise<Response>
  /** Arrival of the response by the device's clock; undefined before it. */
  arrivedAt?: number
}

declare global {
  /** Set by the inline script of the page; only for the address the page was opened at. */
  var startedRequests: { pathname: string; requests: StartedRequest[] } | undefined
}

const arrivals = new WeakMap<Response, number>()

/** When a response arrived, by the device's clock; undefined for one that arrived just now. */
export const findArrival = (answer: Response) => arrivals.get(answer)

/** Returns the response to the same request if the page has started it, once; otherwise, and if that one was lost, fetches it. */
export const fetchStarted: typeof fetch = (input, init) => {
  const started = takeStarted(input, init)
  if (!started) return globalThis.fetch(input, init)
  const answer = started.answer.then(
    (response) => {
      if (started.arrivedAt !== undefined) arrivals.set(response, started.arrivedAt)
      return response
    },
    () => globalThis.fetch(input, init),
  )
  return init?.signal ? Promise.race([answer, rejectOnAbort(init.signal)]) : answer
}

function takeStarted(input: RequestInfo | URL, { method = 'GET', headers }: RequestInit = {}) {
  const { startedRequests: started } = globalThis
  if (!started || method !== 'GET' || started.pathname !== location.pathname) return undefined
  const url = new URL(String(input), location.href).href
  const authorization = new Headers(headers).get('authorization')
  const index = started.requests.findIndex((request) => request.url === url && request.authorization === authorization)
  return index < 0 ? undefined : started.requests.splice(index, 1)[0]
}

const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
  })
