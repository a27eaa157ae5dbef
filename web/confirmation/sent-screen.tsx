import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { queryClient } from '#web/lib/api/query.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { accountApi, meQuery } from '#web/signed-in/account.queries.ts'
import classes from '#web/ui/auth-form.module.css'
import { ConfirmationOutcome } from './confirmation-outcome.tsx'
import { SendButton } from './send-button.tsx'

/** Shown after registration until the address is confirmed; sends the e-mail again on request. */
export default function SentScreen() {
  const { t } = useTranslation()
  const { email, email_confirmed } = useSuspenseQuery(meQuery(), queryClient).data
  const canChange = useFeature('confirmations')
  const send = async () => {
    queryClient.setQueryData(meQuery().queryKey, await accountApi.sendConfirmation({ body: { send_email_confirmation: true } }))
  }
  if (email_confirmed) {
    return (
      <ConfirmationOutcome title={t('account.confirmation.already')} lead={t('account.mail.done', { email })}>
        <nav className={classes.links}>
          <Link to="/">{t('account.mail.go')}</Link>
        </nav>
      </ConfirmationOutcome>
    )
  }
  return (
    <ConfirmationOutcome title={t('reset.sentHeading')} lead={t('account.mail.lead', { email })}>
      <p>{t('account.mail.hint')}</p>
      <SendButton call={send}>{t('account.mail.again')}</SendButton>
      <nav className={classes.links}>
        <Link to="/">{t('account.mail.go')}</Link>
        {canChange && <Link to="/account_email_update">{t('account.mail.change')}</Link>}
      </nav>
    </ConfirmationOutcome>
  )
}
