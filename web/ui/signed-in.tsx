import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { session } from '#web/lib/session.ts'
import classes from './auth-form.module.css'

/** Somebody who comes to the entrance with a session open, as by going back: it says so, and offers the way on (C-31). */
export function SignedIn() {
  const { t } = useTranslation()
  // A session that the form itself opens is not meant.
  const [isOpen] = useState(session.isOpen)
  return (
    isOpen && (
      <p className={classes.note}>
        <span>
          {t('login.open')} <Link to="/">{t('action.goHome')}</Link>
        </span>
      </p>
    )
  )
}
