import { Button } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import form from '#web/ui/auth-form.module.css'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import classes from './send-button.module.css'
import { useSending } from './use-sending.ts'

export function SendButton({ children, call }: { children: string; call: () => Promise<unknown> }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { send, isBusy, sentAt, problem } = useSending(call)
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
