import { Failure } from '#server/lib/errors.ts'

/** A call of a network's API. */
export type DownlinkCall = { url: string; headers: Record<string, string>; body: object }

/** The APIs of networks, which accept messages for trackers. */
export type Downlinks = {
  /** Origins that the operator allows. */
  servers: readonly string[]
  /** Whether the operator allows calls to the server at this address. */
  isAllowed(url: string): boolean
  /** Posts JSON and returns the JSON of the response. Throws `unavailable` when the server rejects or does not respond. */
  post(call: DownlinkCall): Promise<unknown>
}

const TIMEOUT_MS = 10_000

/**
 * Returns a function that checks whether an address belongs to one of the servers, which are given as origins. Addresses come from messages
 * and from users, so nothing else may be reached through them.
 */
export function createServerCheck(servers: readonly string[]) {
  const origins = new Set(servers)
  const isAllowed = (url: string) => {
    if (!URL.canParse(url)) return false
    const { origin, username, password } = new URL(url)
    return origins.has(origin) && username === '' && password === ''
  }
  return { servers, isAllowed }
}

export function createDownlinks(allowed: readonly string[]): Downlinks {
  const { servers, isAllowed } = createServerCheck(allowed)
  return {
    servers,
    isAllowed,
    async post({ url, headers, body }) {
      if (!isAllowed(url)) throw new Failure('unavailable')
      const options = { method: 'POST', redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS), body: JSON.stringify(body) } as const
      const response = await fetch(url, { ...options, headers: { ...headers, 'content-type': 'application/json' } }).catch(
        (cause: unknown) => {
          throw new Failure('unavailable', {}, { cause })
        },
      )
      if (!response.ok) throw new Failure('unavailable', {}, { cause: new Error(`Status ${response.status}`) })
      return response.json().catch(() => null)
    },
  }
}
