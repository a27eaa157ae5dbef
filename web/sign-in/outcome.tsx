import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import classes from '#web/ui/auth-form.module.css'

export function ResetOutcome({
  title,
  children,
  more,
  isFailure = false,
}: {
  title: string
  children: ReactNode
  more?: ReactNode
  isFailure?: boolean
}) {
  const { t } = useTranslation()
  return (
    <div className={classes.form} role={isFailure ? 'alert' : 'status'}>
      <h1>{title}</h1>
      <p className={classes.lead}>{children}</p>
      <nav className={classes.links}>
        {more}
        <Link to="/login">{t('reset.signIn')}</Link>
      </nav>
    </div>
  )
}
