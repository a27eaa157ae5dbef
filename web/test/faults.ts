type Server = { fetch: typeof fetch; token: (email: string) => Promise<string> | string }
/** `serve` lets the real server handle the request. */
export type Fault = (serve: () => Promise<Response>) => Response | Promise<Response>

/** The real server, except for requests whose path or `METHOD path` starts with a key of `faults`: those fail until `mend` is called. */
export function withFaults(portal: Server, faults: Record<string, Fault>) {
  let isBroken = true
  const faultAt = (method: string, path: string) =>
    Object.entries(faults).find(([start]) => isBroken && (path.startsWith(start) || `${method} ${path}`.startsWith(start)))?.[1]
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const fault = faultAt(init?.method ?? 'GET', String(input))
    const serve = () => portal.fetch(input, init)
    return fault ? fault(serve) : serve()
  }
  return { fetch, token: portal.token, mend: () => (isBroken = false) }
}

export const noResponse: Fault = () => Promise.reject(new TypeError('Failed to fetch'))

/** The server processes the request, and its response gets lost. */
export const lostResponse: Fault = async (serve) => {
  await serve()
  throw new TypeError('Failed to fetch')
}

export const respondWith =
  (status: number, body = '{}'): Fault =>
  () =>
    new Response(body, { status })

/**
 * The real server, which receives the first request of a method only after `release`. `sent` lists the bodies of all requests of the
 * portal.
 */
export function withHeldRequest(portal: Server, method: string) {
  const sent: Record<string, unknown>[] = []
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (init?.method !== method) return portal.fetch(input, init)
    if (sent.push(JSON.parse(String(init.body))) === 1) await isReleased
    return portal.fetch(input, init)
  }
  return { fetch, token: portal.token, sent, release: () => release() }
}
