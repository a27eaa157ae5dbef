import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { TeamUser } from '#contracts/team.ts'
import { orGone } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { calls } from './team.calls.ts'
import { teamQuery } from './team.queries.ts'

/** Confirms the removal, which deletes the user's account. */
export function RemoveUser({ user: { id }, name, onClose }: { user: TeamUser; name: string; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const remove = async () => {
    await calls.remove({ params: { id } }).catch(orGone)
    showToast(t('team.removed', { name }))
    queries.setQueryData(teamQuery().queryKey, (users) => users?.filter((user) => user.id !== id))
  }
  return (
    <ConfirmDialog
      title={t('team.removeAsk', { name })}
      action={t('team.remove')}
      isDanger
      onConfirm={remove}
      onClose={onClose}
      failure={({ code }) => (code === 'own_account' ? t('team.own_account') : undefined)}
    >
      <p>{t('team.removeLead')}</p>
    </ConfirmDialog>
  )
}
