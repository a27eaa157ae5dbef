import { config } from '#web/lib/config.ts'
import { storage } from '#web/lib/storage.ts'

export type AppName = 'track' | 'collar'

/**
 * Links that open the app or its stores. Stores default to a search by product name, and only the store of a known platform is returned.
 */
export function buildAppLinks(name: AppName) {
  const { apps, productName } = config()
  const { open, appStore, playStore } = apps?.[name] ?? {}
  const ios = { label: 'App Store', url: appStore ?? `https://apps.apple.com/search?${new URLSearchParams({ term: productName })}` }
  const android = {
    label: 'Google Play',
    url: playStore ?? `https://play.google.com/store/search?${new URLSearchParams({ c: 'apps', q: productName })}`,
  }
  const os = (storage.get('hostOs') ?? storage.get('platform') ?? '').toLowerCase()
  const stores = os === 'ios' ? [ios] : os === 'android' ? [android] : [ios, android]
  return { open: open ?? SCHEMES[name], stores }
}

/** URL schemes the apps register on a phone. */
const SCHEMES = { track: 'whereabouts://open', collar: 'whereabouts-collar://open' } as const satisfies Record<AppName, string>
