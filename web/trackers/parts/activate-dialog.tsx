import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { devicesApi, devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'

/** Activates the subscription that came with a tracker, after a confirmation, because its period starts at once. */
export default function ActivateDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const queries = useQueryClient()
  const activate = async () => {
    await devicesApi.activate({ params: { id: device.id } })
    const { queryKey } = devicesQuery()
    // Not awaited: the button and this dialog disappear with the new list.
    void queries.invalidateQueries({ queryKey }).then(() => {
      const end = queries.getQueryData(queryKey)?.find(({ id }) => id === device.id)?.tracker_status.sub_end_date
      showToast(end ? t('subscriptions.activeUntil', { date: formats.date(end) }) : t('subState.active'))
    })
  }
  return (
    <ConfirmDialog
      title={t('subscriptions.activateTitle', { name: device.name })}
      action={t('subscriptions.activateNow')}
      onConfirm={activate}
      onClose={onClose}
    >
      <p>{t('subscriptions.activateLead')}</p>
    </ConfirmDialog>
  )
}
