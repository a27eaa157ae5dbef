import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { devicesApi, devicesQuery } from '#web/trackers/trackers.queries.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'

/** Activates the subscription that came with a tracker, after a confirmation, because its period starts at once. */
export function ActivateButton({ device }: { device: Device }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const activate = async () => {
    await devicesApi.activate({ params: { id: device.id } })
    // The dialog is gone once the list says that the tracker is active, so the toast does not wait for the component.
    void queries.invalidateQueries({ queryKey: devicesQuery().queryKey }).then(() => {
      const end = queries.getQueryData(devicesQuery().queryKey)?.find(({ id }) => id === device.id)?.tracker_status.sub_end_date
      showToast(end ? t('subscriptions.activeUntil', { date: formats.date(end) }) : t('tracker.noEnd'))
    })
  }
  return (
    <div style={{ display: 'grid', gap: 8, paddingBottom: 12 }}>
      <Button onClick={() => setAsking(true)} h={44}>
        {t('tracker.activate')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('subscriptions.activateTitle', { name: device.name })}
          action={t('subscriptions.activateNow')}
          onConfirm={activate}
          onClose={() => setAsking(false)}
        >
          <p>{t('subscriptions.activateLead')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
