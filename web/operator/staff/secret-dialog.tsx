import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Secret } from '#web/operator/session/secret.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'

type Props = { title: string; lead: string; secret: string; copy: string; onClose: () => void }

/** A new link or key, which is shown once. */
export function SecretDialog({ title, lead, secret, copy, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog title={title} lead={lead} onClose={onClose}>
      <Secret text={secret} copy={copy} />
      <DialogFoot>
        <Button h={44} onClick={onClose}>
          {t('operator.staff.done')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
