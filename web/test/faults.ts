type Server = { fetch: typeof fetch; token: (email: string) => Promise<string> | string }
export type Fault = () => Response | Promise<Response>

/** The real server, except for requests whose path or `METHOD path` starts with a key of `faults`: those fail until `mend` is called. */
export function withFaults(portal: Server, faults: Record<string, Fault>) {
  let isBroken = true
  const faultAt = (method: string, path: string) =>
    Object.entries(faults).find(([start]) => isBroken && (path.startsWith(start) || `${method} ${path}`.startsWith(start)))?.[1]
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const fault = faultAt(init?.method ?? 'GET', String(input))
    return fault ? fault() : portal.fetch(input, init)
  }
  return { fetch, token: portal.token, mend: () => (isBroken = false) }
}

export const noResponse: Fault = () => Promise.reject(new TypeError('Failed to fetch'))

export const respondWith =
  (status: number, body = '{}'): Fault =>
  () =>
    new Response(body, { status })
