import { lookup as systemLookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { DeliveryFailure } from '#contracts/accounts/channels.ts'

export type ReceiverRequest = { url: string; headers: Record<string, string>; body: string }

/** `retryAfterMs`: how long the receiver asks to wait; null if it does not say. */
export type ReceiverResult = { failure: null } | { failure: DeliveryFailure; retryAfterMs: number | null }

/** Servers of other people that alerts are sent to: webhooks, Telegram, ntfy. */
export type Receivers = {
  /** Whether the address may be used at all; whether its host is a public one is found out for each request. */
  isAllowed(url: string): boolean
  /** Posts JSON. Never rejects; `signal` gives up the request. */
  post(request: ReceiverRequest, signal: AbortSignal): Promise<ReceiverResult>
  /** Sends what is due soon. Set by the process that sends. */
  wake?(): Promise<void>
}

const TIMEOUT_MS = 10_000
const NOT_ALLOWED = 'ERR_ADDRESS_NOT_ALLOWED'

type Options = {
  /** Origins of the operator's own network that may be used as well, also without TLS. */
  servers?: readonly string[]
  /** Whether any public host may be used, and not only `servers`. */
  isOpen?: boolean
  lookup?: LookupFunction
  timeoutMs?: number
}

/**
 * Sends requests only to public addresses. Users choose the host, so a name is judged by the addresses that it resolves to, at the moment of
 * the connection, and redirects are not followed: otherwise a name could lead into the network of the server (SSRF).
 */
export function createReceivers({ servers = [], isOpen = true, lookup = systemLookup, timeoutMs = TIMEOUT_MS }: Options = {}): Receivers {
  const own = new Set(servers)
  const isAllowed = (url: string) => {
    if (!URL.canParse(url)) return false
    const { protocol, origin, hostname, username, password } = new URL(url)
    if (username !== '' || password !== '') return false
    if (own.has(origin)) return true
    const address = hostname.replace(/^\[|\]$/g, '')
    return isOpen && protocol === 'https:' && (isIP(address) === 0 ? hostname.includes('.') : isPublic(address))
  }
  return {
    isAllowed,
    async post({ url, headers, body }, signal) {
      if (!isAllowed(url)) return fail('not_allowed')
      const isOwn = own.has(new URL(url).origin)
      const send = new URL(url).protocol === 'https:' ? requestHttps : requestHttp
      return new Promise<ReceiverResult>((resolve) => {
        const request = send(url, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
          // A new connection each time, because only new ones check the address.
          agent: false,
          ...(!isOwn && { lookup: onlyPublic(lookup) }),
        })
        request.on('response', (response) => {
          const { statusCode: status = 0, headers: answered } = response
          // The body is of no interest, and may be endless.
          response.destroy()
          resolve(status >= 200 && status < 300 ? { failure: null } : fail('status', status, readRetryAfter(answered['retry-after'])))
        })
        request.on('error', (error: NodeJS.ErrnoException) => resolve(fail(classify(error, signal))))
        request.end(body)
      })
    },
  }
}

const fail = (reason: DeliveryFailure['reason'], status: number | null = null, retryAfterMs: number | null = null): ReceiverResult => ({
  failure: { reason, status },
  retryAfterMs,
})

function classify({ code, name }: NodeJS.ErrnoException, signal: AbortSignal) {
  if (code === NOT_ALLOWED) return 'not_allowed'
  return !signal.aborted && (name === 'AbortError' || name === 'TimeoutError' || code === 'ABORT_ERR') ? 'timeout' : 'unreachable'
}

const readRetryAfter = (text: string | undefined) => (text && /^\d{1,6}$/.test(text) ? Number(text) * 1000 : null)

/** Neither private nor reserved, also when it is an IPv4 address within an IPv6 one. */
export function isPublic(address: string) {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && !(parsed instanceof ipaddr.IPv6 && TUNNELS.some((tunnel) => parsed.match(tunnel)))
}

/** Blocks of IPv6 in which an IPv4 address is hidden, such as NAT64 and 6to4. */
const TUNNELS = ['64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'].map((block) => ipaddr.IPv6.parseCIDR(block))

/** Resolves a name, and fails if any of its addresses is not public: the connection uses just these addresses. */
const onlyPublic =
  (lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address)
      if (error || addresses.every(isPublic)) return callback(error, found, family)
      callback(Object.assign(new Error(`${hostname} is not a public host`), { code: NOT_ALLOWED }), [])
    })
