import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AlertHint } from '#web/ui/form/form-alert.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { Toaster } from '#web/ui/overlay/toaster.tsx'
import { AccountMenu } from './account-menu.tsx'
import { DataProvider } from './data-provider.tsx'
import { NavLinks } from './nav-links.tsx'
import classes from './navigation-layout.module.css'
import { OfflineStrip } from './offline-strip.tsx'
import { Palette } from './palette.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { useStayOffline } from './use-staying.ts'

/** A rail on the left of a desktop or tabs at the bottom of a phone, beside the screen. */
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
        <OfflineStrip since={offlineSince} />
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
