import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { showToast } from '#web/lib/toasts.ts'
import { useSetMode } from '#web/trackers/live/use-set-mode.ts'

/**
 * Requests a mode and closes the dialog. Offers to undo while the toast is shown, because the tracker has usually not received the mode by
 * then.
 */
export function useChangeMode(device: Device, onClose: () => void) {
  const { t } = useTranslation()
  const { mode, pending_mode } = device.tracker_config
  const back = useSetMode(device, () => undefined)
  const takeBack = () => void back.mutateAsync(pending_mode ?? mode).catch(() => showToast(t('error.general')))
  return useSetMode(device, () => {
    onClose()
    showToast(t('modes.asked'), takeBack)
  })
}
