import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { orGone } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { keysQuery } from './keys-query.ts'
import { calls } from './phones.calls.ts'

type Props = { id: number; name: string; device: number; onClose: () => void }

export function RevokeKey({ id, name, device, onClose }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const revoke = async () => {
    await calls.remove({ params: { id: device, key: id } }).catch(orGone)
    showToast(t('phones.revoked'))
    await queries.invalidateQueries({ queryKey: keysQuery(device).queryKey })
  }
  return (
    <ConfirmDialog title={t('phones.revokeAsk', { name })} action={t('phones.revoke')} isDanger onConfirm={revoke} onClose={onClose}>
      {t('phones.revokeLead')}
    </ConfirmDialog>
  )
}
