import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { queryClient } from '#web/lib/api/query.ts'
import classes from '#web/ui/auth-form.module.css'
import { emailChangeQuery } from './confirmation.queries.ts'
import { ConfirmationOutcome, ConfirmationPending, ContinueLink } from './confirmation-outcome.tsx'

/** Opened from the link mailed to a new address; confirms it as the address of the account. */
export default function ChangedScreen() {
  const { t } = useTranslation()
  const key = useSearchParams()[0].get('key') ?? ''
  const { data, isPending } = useQuery({ ...emailChangeQuery(key), enabled: key !== '' }, queryClient)
  if (key !== '' && isPending) return <ConfirmationPending />
  if (data?.status === 'confirmed') {
    return (
      <ConfirmationOutcome title={t('account.confirmation.confirmed')} lead={t('account.changed.lead', { email: data.email })}>
        <ContinueLink isMain />
      </ConfirmationOutcome>
    )
  }
  const isExpired = data?.status === 'expired'
  const lead = data?.status === 'taken' ? t('account.changeEmail.exists') : t('account.confirmation.errorLead')
  return (
    <ConfirmationOutcome
      isFailure
      title={t(isExpired ? 'account.confirmation.expired' : 'account.confirmation.error')}
      lead={isExpired ? t('account.confirmation.expiredLead') : lead}
    >
      <nav className={classes.links}>
        <Link to="/account_email_update">{t('account.changed.again')}</Link>
      </nav>
      <ContinueLink />
    </ConfirmationOutcome>
  )
}
