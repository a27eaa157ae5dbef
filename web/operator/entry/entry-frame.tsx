import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguagePicker } from '#web/layouts/language-picker.tsx'
import { config } from '#web/lib/config.ts'
import { Logo } from '#web/ui/logo.tsx'
import classes from './entry.module.css'

/** Around the screens before the sign-in. */
export function EntryFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className={classes.entry}>
      <header className={classes.brand}>
        <Logo />
        <span>{`${config().productName} ${t('title.operator')}`}</span>
        <LanguagePicker />
      </header>
      {children}
    </div>
  )
}
