import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { session } from '#web/lib/session.ts'
import classes from '#web/ui/auth-form.module.css'

/** To the trackers, or to the sign-in that leads there. */
export function WayOn() {
  const { t } = useTranslation()
  return (
    <nav className={classes.links}>
      {session.isOpen() ? <Link to="/">{t('account.mail.go')}</Link> : <Link to="/login">{t('reset.signIn')}</Link>}
    </nav>
  )
}
