import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { ApiError } from '#web/lib/api/api-error.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { session } from '#web/lib/session.ts'
import { accountApi } from '#web/signed-in/account.queries.ts'
import { confirmationQuery } from './confirmation.queries.ts'
import { ConfirmationOutcome, ConfirmationPending, ContinueLink } from './confirmation-outcome.tsx'
import { SendButton } from './send-button.tsx'

/** Opened from the confirmation e-mail; works with or without a session. */
export default function ConfirmationScreen() {
  const key = useSearchParams()[0].get('key')
  return key ? (
    <Suspense fallback={<ConfirmationPending />}>
      <Confirmation id={key} />
    </Suspense>
  ) : (
    <Failed />
  )
}

function Confirmation({ id: key }: { id: string }) {
  const { t } = useTranslation()
  const outcome = useSuspenseQuery(confirmationQuery(key), queryClient).data
  if (outcome === 'confirmed' || outcome === 'already_confirmed') {
    const words = outcome === 'confirmed' ? 'confirmed' : 'already'
    return (
      <ConfirmationOutcome title={t(`account.confirmation.${words}`)} lead={t(`account.confirmation.${words}Lead`)}>
        <ContinueLink isMain />
      </ConfirmationOutcome>
    )
  }
  if (outcome === 'expired') {
    return (
      <ConfirmationOutcome isFailure title={t('account.confirmation.expired')} lead={t('account.confirmation.expiredLead')}>
        <SendButton call={() => requestNewLink(key)}>{t('account.confirmation.newLink')}</SendButton>
        <ContinueLink />
      </ConfirmationOutcome>
    )
  }
  return <Failed />
}

function Failed() {
  const { t } = useTranslation()
  return (
    <ConfirmationOutcome isFailure title={t('account.confirmation.error')} lead={t('account.confirmation.errorLead')}>
      <ContinueLink />
    </ConfirmationOutcome>
  )
}

/** Requests a new link with the session, or with the expired key if there is no valid session. */
async function requestNewLink(key: string) {
  const resend = () => accountApi.resend({ body: { key } })
  if (!session.isOpen()) return resend()
  return accountApi.sendConfirmation({ body: { send_email_confirmation: true } }, { staysOn401: true }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) return resend()
    throw error
  })
}
