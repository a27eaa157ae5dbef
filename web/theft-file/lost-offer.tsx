import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { updateFrequency, updateWording } from '#contracts/rules/frequency.ts'
import { lostModeFor, modeLabel } from '#contracts/rules/mode.ts'
import { clock } from '#web/lib/clock.ts'
import { updateWords } from '#web/lib/i18n/words.ts'
import { blockOf } from '#web/trackers/block-of.ts'
import { useSetMode } from '#web/trackers/live/use-set-mode.ts'
import { accountQuery } from '#web/trackers/trackers.queries.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'

/** Offers lost mode after a theft report, unless it is already on or not possible. */
export function LostOffer({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation()
  const change = useSetMode(device, onClose)
  const role = useQuery(accountQuery()).data?.role ?? ''
  const { mode, pending_mode, usage, board_name } = device.tracker_config
  const isLost = modeLabel(pending_mode ?? mode).kind === 'lost'
  if (isLost || blockOf('lost', device, role, clock.now())) return null
  const code = lostModeFor(usage)
  const updates = updateWords(t, updateWording(updateFrequency(device.type, board_name, code)))
  return (
    <ConfirmDialog
      title={t('lost.heading', { name: device.name })}
      action={t('lost.confirm')}
      onConfirm={() => change.mutateAsync(code)}
      onClose={onClose}
    >
      {t('lost.lead', { updates })}
    </ConfirmDialog>
  )
}
