import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { showToast } from '#web/lib/toasts.ts'
import { useSetMode } from '#web/trackers/live/use-set-mode.ts'

/** Asks for a mode and closes the dialog; while that is said it can be taken back, for the tracker has hardly heard of it. */
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
