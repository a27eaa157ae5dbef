import { Button } from '@mantine/core'
import { IconBolt, IconDeviceMobile, IconDeviceMobileUp, IconDoorExit, IconRadar2, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useSearchParams } from 'react-router-dom'
import { BOOST_INTERVAL_SECONDS, DeeplinkFlag, deepLinkPath, RADAR_RANGE_METERS } from '#contracts/rules/navigation.ts'
import { config } from '#web/lib/config.ts'
import { hostApp } from '#web/lib/navigation/host-app.ts'
import { storage } from '#web/lib/storage.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'

/** The screens that the host app opens or whose addresses it watches, by the names that the table of routes uses. */
export const screens = {
  startTrack: () => <StartApp app="track" />,
  startCollar: () => <StartApp app="collar" />,
  installRestart: InstallRestart,
  installQuit: InstallQuit,
  main: Main,
  deepLink: DeepLink,
  findmy: () => <NativeFeature of="findmy" />,
  rtb: () => <NativeFeature of="rtb" />,
  needsUpdate: NeedsUpdate,
}
export type NativeScreen = keyof typeof screens

const FEATURES = {
  findmy: { flag: DeeplinkFlag.FindMy, title: 'title.nativeFindmy', lead: 'handOff.radar', n: RADAR_RANGE_METERS, Icon: IconRadar2 },
  rtb: { flag: DeeplinkFlag.RealtimeBoost, title: 'title.nativeRtb', lead: 'handOff.boost', n: BOOST_INTERVAL_SECONDS, Icon: IconBolt },
} as const

function NativeFeature({ of }: { of: keyof typeof FEATURES }) {
  const { t } = useTranslation()
  const { flag, title, lead, n, Icon } = FEATURES[of]
  if (hostApp.can(flag))
    return (
      <Notice isPage icon={<Icon size={30} />} title={t(title)}>
        {t(lead, { n })}
      </Notice>
    )
  if (hostApp.isNative()) return <NeedsUpdate />
  return (
    <Notice
      isPage
      icon={<IconDeviceMobile size={30} />}
      title={t('handOff.inApp')}
      action={<LinkOnward to="/start_track_app/">{t('title.startTrackApp')}</LinkOnward>}
    >
      {t('handOff.inAppLead')}
    </Notice>
  )
}

const LinkOnward = ({ to, children }: { to: string; children: ReactNode }) => (
  <Button component={Link} to={to} h={44}>
    {children}
  </Button>
)

/** For features that this version of the app does not have; serves every unknown /app/native path and its alias /exit. */
function NeedsUpdate() {
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

/** Redirects only to pages of an allow-list, so that a link cannot lead elsewhere. */
function DeepLink() {
  const [query] = useSearchParams()
  const path = deepLinkPath(query.get('target'), hostApp.capability())
  return path ? <Navigate to={path} replace /> : <NeedsUpdate />
}

/** The host app replaces this page with its own main screen; a browser is redirected. */
function Main() {
  const { t } = useTranslation()
  if (!hostApp.isNative()) return <Navigate to="/" replace />
  return (
    <Notice isPage icon={<IconDeviceMobile size={30} />} title={t('title.main')}>
      {t('handOff.main')}
    </Notice>
  )
}

/** The host app watches for this URL and leaves the installation; a browser sees a link. */
function InstallQuit() {
  const { t } = useTranslation()
  return (
    <Notice
      isPage
      icon={<IconDoorExit size={30} />}
      title={t('title.installQuit')}
      action={<LinkOnward to="/">{t('action.goHome')}</LinkOnward>}
    >
      {t('handOff.quit')}
    </Notice>
  )
}

/** The host app watches for this URL and restarts the installation; a browser sees a link. */
function InstallRestart() {
  const { t } = useTranslation()
  return (
    <Notice
      isPage
      icon={<IconRefresh size={30} />}
      title={t('title.installRestart')}
      action={<LinkOnward to="/trackers/add">{t('title.trackerAdd')}</LinkOnward>}
    >
      {t('handOff.restart')}
    </Notice>
  )
}

function StartApp({ app }: { app: AppName }) {
  const { t } = useTranslation()
  const { open, stores } = buildAppLinks(app)
  const title = t(app === 'track' ? 'title.startTrackApp' : 'title.startSdcApp')
  const links = (
    <>
      <LinkButton href={open} isMain>
        {title}
      </LinkButton>
      {stores.map(({ label, url }) => (
        <LinkButton key={url} href={url}>
          {label}
        </LinkButton>
      ))}
    </>
  )
  return (
    <Notice isPage icon={<IconDeviceMobile size={30} />} title={title} action={links}>
      {t(`handOff.${app}`)} {t('handOff.noApp')}
    </Notice>
  )
}

type AppName = 'track' | 'collar'

/** URL schemes the apps register on a phone. */
const SCHEMES = { track: 'whereabouts://open', collar: 'whereabouts-collar://open' } as const satisfies Record<AppName, string>

/**
 * Links that open the app or its stores. Stores default to a search by product name, and only the store of a known platform is returned.
 */
function buildAppLinks(name: AppName) {
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
