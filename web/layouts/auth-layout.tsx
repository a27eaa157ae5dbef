import type { ReactNode } from 'react'
import { config } from '#web/lib/config.ts'
import { Logo } from '#web/ui/logo.tsx'
import { Art } from './art.tsx'
import classes from './auth-layout.module.css'
import { LanguagePicker } from './language-picker.tsx'

/** The layout of login and registration: the form on the left, a picture on the right. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className={classes.auth}>
      <div className={classes.side}>
        <header className={classes.brand}>
          <Logo />
          <span>{config().productName}</span>
          <LanguagePicker />
        </header>
        <main id="content" tabIndex={-1} className={classes.main}>
          {children}
        </main>
      </div>
      <Art />
    </div>
  )
}
