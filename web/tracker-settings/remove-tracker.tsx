import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { hasFeature } from '#web/lib/api/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { trackersApi } from '#web/trackers/trackers.api.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import classes from './settings.module.css'

/** Removes the tracker and all its data from the account. */
export function RemoveTracker({ device, onRemoved }: { device: Device; onRemoved: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const remove = async () => {
    await trackersApi.remove({ params: { id: device.id } }).catch((error: unknown) => {
      // A backend that cannot remove trackers has not removed this one.
      if (!hasFeature('trackerRemoval')) throw error
      ignoreGone(error)
    })
    showToast(t('settings.removed'))
    onRemoved()
    queries.setQueryData(devicesQuery().queryKey, (devices) => devices?.filter(({ id }) => id !== device.id))
  }
  return (
    <div className={classes.section}>
      <p className={classes.note}>{t('settings.removeLead')}</p>
      <div>
        <Button
          variant="default"
          h={44}
          className={classes.danger ?? ''}
          leftSection={<IconTrash size={18} />}
          onClick={() => setAsking(true)}
        >
          {t('settings.remove')}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('settings.removeAsk', { name: device.name })}
          action={t('settings.remove')}
          isDanger
          onConfirm={remove}
          onClose={() => setAsking(false)}
          failure={({ code }) => (code === 'recurring_active' ? t('settings.renews') : undefined)}
        >
          <p>{t('settings.removeLead')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
