import type { ReactNode } from 'react'
import { Toaster } from '#web/ui/overlay/toaster.tsx'
import classes from './bare-layout.module.css'
import { DataProvider } from './data-provider.tsx'

export default function BareLayout({ children }: { children: ReactNode }) {
  return (
    <DataProvider>
      <main id="content" tabIndex={-1} className={classes.main}>
        {children}
      </main>
      <Toaster />
    </DataProvider>
  )
}
