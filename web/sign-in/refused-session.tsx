import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#web/lib/api/api-error.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { config } from '#web/lib/config.ts'
import { log } from '#web/lib/log.ts'
import { session } from '#web/lib/session.ts'
import classes from '#web/ui/auth-form.module.css'
import { SignedInNote } from '#web/ui/signed-in-note.tsx'
import { sessionsApi } from './sign-in.api.ts'

/**
 * Explains a rejection on the login page. A session rejected at its first request has not ended: the backend does not understand how its
 * token is sent (`isKnown`). A 403 means that a right is missing, or on some backends that the session has ended. The token stays until the
 * next sign-in.
 */
export default function RefusedSession({ isKnown }: { isKnown: boolean }) {
  const { t } = useTranslation()
  const found = useQuery({ ...SESSION_QUERY, enabled: !isKnown }, queryClient).data
  const meaning = isKnown ? 'refused' : found
  useEffect(() => {
    if (meaning === 'refused') logRefusal()
  }, [meaning])
  if (meaning === 'open') return <SignedInNote />
  if (meaning !== 'ended' && meaning !== 'refused') return null
  return (
    <p role="status" className={classes.note}>
      {t(meaning === 'ended' ? 'login.ended' : 'account.refused')}
    </p>
  )
}

/** Every session may read the options of its user. */
async function findSession(): Promise<'open' | 'ended' | 'refused' | 'unknown'> {
  const isFirst = session.isUntried()
  try {
    await sessionsApi.options({}, { staysOn401: true, staysOnNoAnswer: true })
    return 'open'
  } catch (error) {
    if (!(error instanceof ApiError && (error.status === 401 || error.status === 403))) return 'unknown'
    return isFirst ? 'refused' : 'ended'
  }
}

const SESSION_QUERY = queryOptions({ queryKey: ['refusedSession'], queryFn: findSession, gcTime: 0, staleTime: 0 })

const logRefusal = () =>
  log.failure(
    'The backend refuses the token of its own sign-in: set auth.scheme in config.json to the word that it expects before the token',
    {
      scheme: config().auth?.scheme ?? 'Bearer',
    },
  )
