import { Button } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#web/lib/api/api-error.ts'
import { clock } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import form from '#web/ui/auth-form.module.css'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import classes from './send-button.module.css'

export function SendButton({ children, call }: { children: string; call: () => Promise<unknown> }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { send, isBusy, sentAt, problem } = useSendEmail(call)
  return (
    <>
      <FormAlert>{problem}</FormAlert>
      <div role="status" className={classes.slot}>
        {sentAt && (
          <p className={form.note}>
            <IconMailCheck size={18} aria-hidden="true" />
            <span>
              {t('account.mail.sent')} <time className={classes.time}>{formats.exactTime(sentAt)}</time>
            </span>
          </p>
        )}
      </div>
      <Button size="md" h={48} fullWidth loading={isBusy} onClick={send}>
        {children}
      </Button>
    </>
  )
}

function useSendEmail(call: () => Promise<unknown>) {
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
