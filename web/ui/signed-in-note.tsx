import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { session } from '#web/lib/session.ts'
import classes from './auth-form.module.css'

/** A note to a signed-in user on the login or sign-up page, with a link to the portal. */
export function SignedInNote() {
  const { t } = useTranslation()
  // The initial state only: the session that the form itself opens must not show it.
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
