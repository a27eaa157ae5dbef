/**
 * Whether a path stays on this site, so that return_path, success_path and next can't redirect elsewhere: exactly one leading slash, also
 * after dot segments; no backslash or control character, because browsers treat them as a slash or drop them; no half of a surrogate pair,
 * which cannot be encoded.
 */
export const isSafePath = (path: string) => path.startsWith('/') && !UNSAFE.test(path) && pathnameOf(path) !== null

/** Returns the path to open after signing in; null for another site and for pages that would cause a redirect loop. */
export const safeNextPath = (path: string | null): string | null => {
  if (path === null || !isSafePath(path)) return null
  return CIRCULAR.test(pathnameOf(path) ?? '') ? null : path
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const UNSAFE = /[\\\u0000-\u001f\u007f]|\p{Surrogate}/u
const CIRCULAR = /^\/(login|logout|error)\/*$/i

/** The decoded pathname as a browser resolves it; null if it is malformed or would start with two slashes. */
const pathnameOf = (path: string): string | null => {
  const base = 'https://portal.invalid'
  if (!URL.canParse(path, base)) return null
  const { origin, pathname } = new URL(path, base)
  return origin === base && !pathname.startsWith('//') ? pathname.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent) : null
}

/** Features the host app can open, as bits of one integer. */
export const DeeplinkFlag = { FindMy: 1, RealtimeBoost: 2 } as const
export type DeeplinkFlag = (typeof DeeplinkFlag)[keyof typeof DeeplinkFlag]

/** What they do: the range of a radar, and the time between two positions of a boosted tracker. */
export const RADAR_RANGE_METERS = 20
export const BOOST_INTERVAL_SECONDS = 30

/** Parses the capability integer from a query or from storage; anything but a non-negative integer is 0. */
export const parseDeeplink = (text: string | null): number => {
  const capability = /^\d+$/.test(text ?? '') ? Number(text) : 0
  return Number.isSafeInteger(capability) ? capability : 0
}

/** Unknown higher bits are ignored. */
export const hasDeeplink = (capability: number, flag: DeeplinkFlag) => capability > 0 && (capability & flag) !== 0

/** The path that /deep-link?target= redirects to, from an allow-list; null opens the page that asks for an app update. */
export const deepLinkPath = (target: string | null, capability: number) => {
  if (target === 'findmy' && hasDeeplink(capability, DeeplinkFlag.FindMy)) return '/app/native/findmy'
  if (target === 'rtb' && hasDeeplink(capability, DeeplinkFlag.RealtimeBoost)) return '/app/native/rtb'
  return null
}

export type HostVersion = { platform: string; bundleId: string; version: string; integerVersion: number }

/**
 * Parses `ios-com.example.portal-1.12.3` into platform, bundle id (which may contain dashes) and dotted version. null if any part is
 * missing; nothing is stored then.
 */
export const parseHostVersion = (text: string): HostVersion | null => {
  const parts = text.trim().split('-')
  const platform = parts[0]
  const version = parts.at(-1) ?? ''
  const bundleId = parts.slice(1, -1).join('-')
  const integerVersion = parseIntegerVersion(version)
  return platform && bundleId && integerVersion !== null ? { platform, bundleId, version, integerVersion } : null
}

/** major*10000 + minor*100 + patch, unclamped; missing parts are 0, null for anything else. */
export const parseIntegerVersion = (version: string): number | null => {
  if (!/^\d+(\.\d+){0,2}$/.test(version)) return null
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return major * 10_000 + minor * 100 + patch
}
