import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import { Palette, Shortcuts } from '#web/layouts/keyboard/shortcuts.tsx'
import navItemClasses from '#web/layouts/navigation/nav-item.module.css'
import { MAIN_SECTIONS, RAIL_SECTIONS, type Section, useSectionFilter } from '#web/layouts/navigation/sections.tsx'
import { useOffline } from '#web/lib/api/connection.ts'
import { lazy, loadChunk } from '#web/lib/chunk.ts'
import { setOfflineGuard } from '#web/lib/navigation/navigation.ts'
import { isScreenThere } from '#web/lib/navigation/shown-screen.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { isLastKnown, useLastKnown } from '#web/trackers/trackers.queries.tsx'
import { useIdle } from '#web/ui/feedback/use-idle.ts'
import { AlertHint } from '#web/ui/form/form-alert.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { Toaster } from '#web/ui/overlay/toaster.tsx'
import { AccountMenu } from './account-menu.tsx'
import { DataProvider } from './data-provider.tsx'
import classes from './navigation-layout.module.css'

/** Loaded after the page. If it is lost, the page works without it. */
const Strip = lazy(() => loadChunk(() => import('#web/notices/strip.tsx')).catch(() => ({ default: (): ReactNode => null })))

const UnreadBadge = lazy(() =>
  loadChunk((): Promise<{ default: () => ReactNode }> => import('#web/alerts/fired/unread-badge.tsx')).catch(() => ({
    default: () => null,
  })),
)

/**
 * Keeps a screen with data open offline, or while it waits for the server, with its data and typed text, even while a part of it loads; a
 * screen without data still leads to /error. Back online, all queries in use are reloaded. Returns since when it is offline.
 */
function useStayOffline(): Date | null {
  const queries = useQueryClient()
  useEffect(() => setOfflineGuard((pathname) => (!navigator.onLine || isLastKnown()) && isScreenThere(pathname)), [])
  return useOffline(() => void queries.invalidateQueries())
}

export default function NavigationLayout({ children }: { children: ReactNode }) {
  return (
    <DataProvider>
      <Frame>{children}</Frame>
    </DataProvider>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const offlineSince = useStayOffline()
  const lastKnown = useLastKnown()
  // What is out of date says so at once.
  const hasStrip = useIdle() || offlineSince !== null || lastKnown !== null
  return (
    <AlertHint value={offlineSince && t('offline.unsent')}>
      <div className={classes.frame}>
        <a href="#content" className={classes.skip}>
          {t('app.skip')}
        </a>
        <nav className={classes.nav} aria-label={t('app.navigation')}>
          <span className={classes.logo}>
            <Logo />
          </span>
          <NavLinks />
          <AccountMenu />
        </nav>
        <div className={classes.strip} aria-live="polite">
          <Suspense>{hasStrip && <Strip since={offlineSince} />}</Suspense>
        </div>
        <main id="content" tabIndex={-1} className={classes.main}>
          {children}
        </main>
        <Palette />
        <Shortcuts />
        <Toaster />
      </div>
    </AlertHint>
  )
}

function NavLinks() {
  const allowed = useSectionFilter(true)
  return (
    <>
      {allowed(MAIN_SECTIONS).map((section) => (
        <Item key={section.to} {...section} className={navItemClasses.item} />
      ))}
      {allowed(RAIL_SECTIONS).map((section) => (
        <Item key={section.to} {...section} className={`${navItemClasses.item} ${navItemClasses.roomy}`} />
      ))}
    </>
  )
}

function Item({ to, word, Icon, covers, feature, className }: Section & { className: string | undefined }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const isOn = covers?.test(pathname) || undefined
  return (
    <Link to={to} className={className} data-on={isOn} aria-current={isOn && 'page'}>
      <Icon size={22} aria-hidden="true" />
      <span>{t(word)}</span>
      {feature === 'alerts' && <Badge />}
    </Link>
  )
}

/** Loaded after the page. */
function Badge() {
  const isIdle = useIdle()
  return (
    useFeature('alertInbox') &&
    isIdle && (
      <Suspense>
        <UnreadBadge />
      </Suspense>
    )
  )
}
