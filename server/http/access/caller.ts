import type { FastifyRequest } from 'fastify'
import type { Caller } from '#server/ports/world.ts'

/** Cookie by which a browser is recognised at its next sign-in; it grants no access. */
export const BROWSER_COOKIE = 'browserid'

/** The name of a cookie on https that a browser accepts only from this host, not from a sibling domain or over http. */
export const nameOfHost = (cookie: string) => `__Host-${cookie}`

const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: [RegExp, string][] = [
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const findName = (names: [RegExp, string][], text: string) => names.find(([pattern]) => pattern.test(text))?.[1]

/** Browser and system of a `User-Agent`, such as `Firefox, Windows`; the first product of any other program; null when there is none. */
export function describeAgent(userAgent: string | undefined): string | null {
  if (!userAgent) return null
  const known = [findName(BROWSERS, userAgent), findName(SYSTEMS, userAgent)].filter((name) => name !== undefined)
  return known.length > 0 ? known.join(', ') : (/^[\w.-]{1,40}/.exec(userAgent)?.[0] ?? null)
}

/** The network of an address: the first three bytes of IPv4, 48 bits of IPv6. Too coarse to identify a person. */
export function findNetwork(address: string): string | null {
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(address)?.[1]
  if (ipv4) return `${ipv4}.0/24`
  if (!address.includes(':')) return null
  const groups = (address.split('::')[0] ?? '').split(':').filter(Boolean).slice(0, 3)
  while (groups.at(-1) === '0') groups.pop()
  return `${groups.join(':')}::/48`
}

/** A class with lazy getters: most requests never read them. */
export class RequestCaller implements Caller {
  readonly #request: FastifyRequest

  constructor(request: FastifyRequest) {
    this.#request = request
  }

  get agent() {
    return describeAgent(this.#request.headers['user-agent'])
  }

  get network() {
    return findNetwork(this.#request.ip)
  }

  get browser() {
    const { cookies } = this.#request
    // Earlier releases set the plain name on https too; the next sign-in replaces it.
    const given = cookies[nameOfHost(BROWSER_COOKIE)] ?? cookies[BROWSER_COOKIE]
    return given && /^[0-9a-f]{40}$/.test(given) ? given : null
  }
}
