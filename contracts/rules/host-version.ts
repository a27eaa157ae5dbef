export type HostVersion = { platform: string; bundleId: string; version: string; integerVersion: number }

/**
 * `ios-com.example.portal-1.12.3` by dashes into platform, bundle id and dotted version; the bundle id keeps
 * its own dashes. null when anything is missing: nothing of it is stored then (C-13).
 */
export const parseHostVersion = (text: string): HostVersion | null => {
  const parts = text.trim().split('-')
  const platform = parts[0]
  const version = parts.at(-1) ?? ''
  const bundleId = parts.slice(1, -1).join('-')
  const integerVersion = integerVersionOf(version)
  return platform && bundleId && integerVersion !== null ? { platform, bundleId, version, integerVersion } : null
}

/** major*10000 + minor*100 + patch, literally and unclamped (C-37); missing parts are 0, null for anything else. */
export const integerVersionOf = (version: string): number | null => {
  if (!/^\d+(\.\d+){0,2}$/.test(version)) return null
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return major * 10_000 + minor * 100 + patch
}
