import type { ReactNode } from 'react'
import { LegalFooter } from '#web/legal/legal-footer.tsx'
import { Toaster } from '#web/ui/overlay/toaster.tsx'
import classes from './bare-layout.module.css'
import { DataProvider } from './data-provider.tsx'

export default function BareLayout({ children }: { children: ReactNode }) {
  return (
    <DataProvider>
      <div className={classes.bare}>
        <main id="content" tabIndex={-1} className={classes.main}>
          {children}
        </main>
        <LegalFooter />
      </div>
      <Toaster />
    </DataProvider>
  )
}
