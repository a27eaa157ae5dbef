import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { LegalFooter } from '#web/legal/legal-footer.tsx'
import { config } from '#web/lib/config.ts'
import { Logo } from '#web/ui/logo.tsx'
import { Toaster } from '#web/ui/overlay/toaster.tsx'
import { DataProvider } from './data-provider.tsx'
import classes from './own-layout.module.css'

/** A single task inside a host app: the product's name at the top, no navigation. */
export default function OwnLayout({ children }: { children: ReactNode }) {
  return (
    <DataProvider>
      <div className={classes.own}>
        <header className={classes.brand}>
          <Link to="/">
            <Logo />
            {config().productName}
          </Link>
        </header>
        <main id="content" tabIndex={-1} className={classes.main}>
          {children}
        </main>
        <LegalFooter />
        <Toaster />
      </div>
    </DataProvider>
  )
}
