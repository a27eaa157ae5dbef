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
  const integerVersion = integerVersionOf(version)
  return platform && bundleId && integerVersion !== null ? { platform, bundleId, version, integerVersion } : null
}

/** major*10000 + minor*100 + patch, unclamped; missing parts are 0, null for anything else. */
export const integerVersionOf = (version: string): number | null => {
  if (!/^\d+(\.\d+){0,2}$/.test(version)) return null
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return major * 10_000 + minor * 100 + patch
}
