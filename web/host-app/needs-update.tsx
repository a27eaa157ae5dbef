import { IconDeviceMobileUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { config } from '#web/lib/config.ts'
import { storage } from '#web/lib/storage.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'

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

/** For features that this version of the app does not have. */
export function NeedsUpdate() {
  const { t } = useTranslation()
  const stores = buildAppLinks('track').stores.map(({ label, url }, nth) => (
    <LinkButton key={url} href={url} isMain={nth === 0}>
      {label}
    </LinkButton>
  ))
  return (
    <Notice isPage icon={<IconDeviceMobileUp size={30} />} title={t('title.appNeedsUpdate')} action={stores}>
      {t('handOff.update')}
    </Notice>
  )
}
