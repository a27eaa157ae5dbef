import { useTranslation } from 'react-i18next'
import classes from '#web/links/made-link.module.css'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'

export default function QrDialog({ name, url, onClose }: { name: string; url: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={name} lead={t('publicLinks.scan')} onClose={onClose}>
      <QrCode text={url} label={t('publicLinks.qrOf', { name })} />
      <code className={classes.url}>{url}</code>
    </Dialog>
  )
}
