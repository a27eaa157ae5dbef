import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { session } from '#web/lib/session.ts'
import classes from '#web/ui/auth-form.module.css'

/** Links to the trackers, or to sign-in without a session; a button if it is the main action. */
export function WayOn({ isMain = false }: { isMain?: boolean }) {
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
