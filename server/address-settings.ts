import { isIP } from 'node:net'
import * as z from 'zod/mini'

/**
 * An origin as browsers send it, because paths are appended to it and it is compared with the `Origin` header: a trailing slash is removed,
 * a path rejected.
 */
export const buildOrigin = (example: string) =>
  z.pipe(
    z.string().check(z.refine(isOrigin, { error: ({ input }) => `${input} is not an origin such as ${example}, without a path` })),
    z.transform((value) => new URL(value).origin),
  )

/** Names of networks that Fastify knows. */
const NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal']
const MAX_HOPS = 10
const TRUST_PROXY_FORMS = 'give the number of proxies in front of the server, such as 1, or their addresses, such as 10.0.0.0/8, or off'
export const TrustedProxies = z.pipe(
  z.string().check(z.refine(isTrustedProxies, { error: ({ input }) => explainTrustedProxies(String(input)) })),
  z.transform((value) => {
    if (value === 'off') return false
    return /^\d+$/.test(value) ? Number(value) : splitList(value)
  }),
)

/** Servers, separated by commas: `host`, or `http://host:port`; they are read as origins. */
export const buildServerList = (usual: readonly string[]) =>
  z.pipe(
    z.pipe(z._default(z.string(), usual.join(',')), z.transform(splitList)),
    z.array(
      z.pipe(
        z.string().check(z.refine(isServer, { error: ({ input }) => `${input} is no host and no origin` })),
        z.transform((server) => toOrigin(server)),
      ),
    ),
  )

export function isOrigin(value: string) {
  if (!URL.canParse(value)) return false
  const { protocol, origin, href } = new URL(value)
  return /^https?:$/.test(protocol) && href === `${origin}/`
}

const completeServer = (server: string) => (server.includes('://') ? server : `https://${server}`)
const toOrigin = (server: string) => new URL(completeServer(server)).origin

function isServer(server: string) {
  return isOrigin(completeServer(server))
}

export function splitList(text: string) {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
}

function isTrustedProxies(value: string) {
  if (value === 'off') return true
  if (/^\d+$/.test(value)) return Number(value) >= 1 && Number(value) <= MAX_HOPS
  const networks = splitList(value)
  return networks.length > 0 && networks.every((one) => NETWORK_NAMES.includes(one) || isNetwork(one))
}

/** An address, or a network as address and prefix length that does not cover everything. */
function isNetwork(text: string) {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (family === 4 ? 32 : 128)
}

const explainTrustedProxies = (value: string) =>
  value === 'on'
    ? `on would believe the address that any caller claims; ${TRUST_PROXY_FORMS}`
    : `${value} names no proxies; ${TRUST_PROXY_FORMS}`
