import { type DeeplinkFlag, hasDeeplink, parseDeeplink, parseHostVersion } from '#contracts/rules/navigation.ts'
import { storage } from '#web/lib/storage.ts'

const PARAMETERS = ['host_version', 'host_os', 'deeplink', 'native_app'] as const

/** Stores the parameters that the native app puts in the address, and returns the address without them. */
export function applyHostAppParameters(url: URL): URL {
  const { searchParams: query } = url
  const host = parseHostVersion(query.get('host_version') ?? '')
  if (host) {
    storage.set('platform', host.platform)
    storage.set('bundleId', host.bundleId)
    storage.set('hostAppVersion', host.version)
    storage.set('integerVersion', String(host.integerVersion))
  }
  const os = query.get('host_os')
  if (os) storage.set('hostOs', os)
  if (query.has('deeplink')) storage.set('deeplinkCapability', String(parseDeeplink(query.get('deeplink'))))
  if (/^(1|true)$/.test(query.get('native_app') ?? '')) storage.set('nativeApp', 'true')
  const clean = new URL(url)
  for (const name of PARAMETERS) clean.searchParams.delete(name)
  return clean
}

export const hostApp = {
  isNative: () => storage.get('nativeApp') === 'true',
  capability: () => parseDeeplink(storage.get('deeplinkCapability')),
  can: (flag: DeeplinkFlag) => hasDeeplink(hostApp.capability(), flag),
}
