import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { session } from '#web/lib/session.ts'
import classes from '#web/ui/auth-form.module.css'
import confirmationPendingClasses from './waiting.module.css'

type Props = { title: string; lead: string; isFailure?: boolean; children?: ReactNode }

export const ConfirmationOutcome = ({ title, lead, isFailure = false, children }: Props) => (
  <div className={classes.form}>
    <div role={isFailure ? 'alert' : 'status'} className={classes.form}>
      <h1>{title}</h1>
      <p className={classes.lead}>{lead}</p>
    </div>
    {children}
  </div>
)

/** Links to the trackers, or to sign-in without a session; a button if it is the main action. */
export function ContinueLink({ isMain = false }: { isMain?: boolean }) {
  const { t } = useTranslation()
  const [to, words] = session.isOpen() ? ['/', t('account.mail.go')] : ['/login', t('reset.signIn')]
  return isMain ? (
    <Button component={Link} to={to} size="md" h={48}>
      {words}
    </Button>
  ) : (
    <nav className={classes.links}>
      <Link to={to}>{words}</Link>
    </nav>
  )
}

export const ConfirmationPending = () => (
  <p role="status" className={confirmationPendingClasses.waiting}>
    <span className={confirmationPendingClasses.spinner} aria-hidden="true" />
    {useTranslation().t('account.confirmation.waiting')}
  </p>
)
