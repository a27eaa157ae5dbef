import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#web/lib/api-error.ts'

/** A button that has an e-mail sent: busy, sent, or what went wrong. */
export function useSending(call: () => Promise<unknown>) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [isSent, setSent] = useState(false)
  const [problem, setProblem] = useState<ApiError | null>(null)
  const send = async () => {
    setBusy(true)
    setSent(false)
    setProblem(null)
    try {
      await call()
      setSent(true)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!error.isLeaving) setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const words = problem && (problem.status === 429 ? t('account.mail.tooMany') : t('error.general'))
  return { send: () => void send(), isBusy, isSent, problem: words }
}
