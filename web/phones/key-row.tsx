import { IconDeviceMobile, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeviceKey, KeyMessage } from '#contracts/trackers/device-keys.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Row } from '#web/ui/lists/row.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { deviceKeyKeys, deviceKeysApi } from './device-keys.queries.ts'
import { useMessageText } from './last-message.tsx'

export function KeyRow({ of, message, device }: { of: DeviceKey; message: KeyMessage | undefined; device: number }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const messageText = useMessageText()
  const [isAsking, setAsking] = useState(false)
  const name = of.label || t('phones.unnamed')
  const used = of.last_used_at ? t('phones.used', { age: formats.age(new Date(of.last_used_at), now) }) : t('phones.never')
  return (
    <Row icon={<IconDeviceMobile size={20} aria-hidden="true" />} name={name} hint={message ? messageText(message) : used}>
      <IconButton label={t('phones.revoke')} of={name} Icon={IconTrash} onClick={() => setAsking(true)} />
      {isAsking && <RevokeKeyDialog id={of.id} name={name} device={device} onClose={() => setAsking(false)} />}
    </Row>
  )
}

type Props = { id: number; name: string; device: number; onClose: () => void }

function RevokeKeyDialog({ id, name, device, onClose }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const revoke = async () => {
    await deviceKeysApi.remove({ params: { id: device, key: id } }).catch(ignoreGone)
    showToast(t('phones.revoked'))
    await queries.invalidateQueries({ queryKey: deviceKeyKeys.tracker(device) })
  }
  return (
    <ConfirmDialog title={t('phones.revokeAsk', { name })} action={t('phones.revoke')} isDanger onConfirm={revoke} onClose={onClose}>
      {t('phones.revokeLead')}
    </ConfirmDialog>
  )
}
