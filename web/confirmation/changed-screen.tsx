import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { queryClient } from '#web/lib/api/query.ts'
import classes from '#web/ui/auth-form.module.css'
import { type EmailChange, emailChangeQuery } from './confirmation.queries.ts'
import { ConfirmationOutcome, ConfirmationPending, ContinueLink } from './confirmation-outcome.tsx'

/** Opened from the link mailed to a new address; confirms it as the address of the account. */
export default function ChangedScreen() {
  const key = useSearchParams()[0].get('key')
  return key ? (
    <Suspense fallback={<ConfirmationPending />}>
      <Change id={key} />
    </Suspense>
  ) : (
    <Outcome status="error" email="" />
  )
}

const Change = ({ id }: { id: string }) => <Outcome {...useSuspenseQuery(emailChangeQuery(id), queryClient).data} />

function Outcome({ status, email }: EmailChange) {
  const { t } = useTranslation()
  if (status === 'confirmed') {
    return (
      <ConfirmationOutcome title={t('account.confirmation.confirmed')} lead={t('account.changed.lead', { email })}>
        <ContinueLink isMain />
      </ConfirmationOutcome>
    )
  }
  const isExpired = status === 'expired'
  const lead = status === 'taken' ? t('account.changeEmail.exists') : t('account.confirmation.errorLead')
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
