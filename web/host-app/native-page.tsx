import { Button } from '@mantine/core'
import { IconBolt, IconDeviceMobile, IconDeviceMobileUp, IconRadar2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { BOOST_INTERVAL_SECONDS, DeeplinkFlag, RADAR_RANGE_METERS } from '#contracts/rules/navigation.ts'
import { config } from '#web/lib/config.ts'
import { hostApp } from '#web/lib/navigation/host-app.ts'
import { storage } from '#web/lib/storage.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'

const PAGES = {
  findmy: { flag: DeeplinkFlag.FindMy, title: 'title.nativeFindmy', lead: 'handOff.radar', n: RADAR_RANGE_METERS, Icon: IconRadar2 },
  rtb: { flag: DeeplinkFlag.RealtimeBoost, title: 'title.nativeRtb', lead: 'handOff.boost', n: BOOST_INTERVAL_SECONDS, Icon: IconBolt },
} as const

export function NativePage({ of }: { of: keyof typeof PAGES }) {
  const { t } = useTranslation()
  const { flag, title, lead, n, Icon } = PAGES[of]
  if (hostApp.can(flag))
    return (
      <Notice isPage icon={<Icon size={30} />} title={t(title)}>
        {t(lead, { n })}
      </Notice>
    )
  if (hostApp.isNative()) return <NeedsUpdate />
  const start = (
    <Button component={Link} to="/start_track_app/" h={44}>
      {t('title.startTrackApp')}
    </Button>
  )
  return (
    <Notice isPage icon={<IconDeviceMobile size={30} />} title={t('handOff.inApp')} action={start}>
      {t('handOff.inAppLead')}
    </Notice>
  )
}

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
