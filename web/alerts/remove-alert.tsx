import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Alert } from '#contracts/alerts.ts'
import { orGone } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { calls } from './alerts.calls.ts'
import { alertsQuery } from './alerts.queries.ts'

export function RemoveAlert({ alert: { id }, sentences, onClose }: { alert: Alert; sentences: string[]; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const remove = async () => {
    await calls.remove({ params: { id } }).catch(orGone)
    queries.setQueryData(alertsQuery().queryKey, (all) => all?.filter((alert) => alert.id !== id))
    // Deleting a vehicle alert changes the mode of its trackers.
    void queries.invalidateQueries({ queryKey: devicesQuery().queryKey })
    showToast(t('alerts.deleted'))
  }
  return (
    <ConfirmDialog isDanger title={t('alerts.deleteHeading')} action={t('action.delete')} onConfirm={remove} onClose={onClose}>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  )
}
