import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#web/lib/api/api-error.ts'
import { clock } from '#web/lib/clock.ts'

/** State of a button that sends an e-mail: busy, time of the last e-mail, or error text. */
export function useSending(call: () => Promise<unknown>) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [sentAt, setSentAt] = useState<Date | null>(null)
  const [problem, setProblem] = useState<ApiError | null>(null)
  const send = async () => {
    setBusy(true)
    setSentAt(null)
    setProblem(null)
    try {
      await call()
      setSentAt(clock.now())
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!error.isLeaving) setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const words = problem && (problem.status === 429 ? t('account.mail.tooMany') : t('error.general'))
  return { send: () => void send(), isBusy, sentAt, problem: words }
}
