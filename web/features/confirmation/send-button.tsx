import { Button } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import form from '#web/ui/auth-form.module.css'
import { FormAlert } from '#web/ui/form-alert.tsx'
import classes from './send-button.module.css'
import { useSending } from './use-sending.ts'

/** Has an e-mail sent, and says how that went. */
export function SendButton({ children, call }: { children: string; call: () => Promise<unknown> }) {
  const { t } = useTranslation()
  const { send, isBusy, isSent, problem } = useSending(call)
  return (
    <>
      <FormAlert>{problem}</FormAlert>
      <div role="status" className={classes.slot}>
        {isSent && (
          <p className={form.note}>
            <IconMailCheck size={18} aria-hidden="true" />
            {t('account.mail.sent')}
          </p>
        )}
      </div>
      <Button size="md" h={48} fullWidth loading={isBusy} onClick={send}>
        {children}
      </Button>
    </>
  )
}
