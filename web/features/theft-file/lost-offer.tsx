import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { updateFrequency, updateWording } from '#contracts/rules/frequency.ts'
import { lostModeFor, modeLabel } from '#contracts/rules/mode.ts'
import { clock } from '#web/lib/clock.ts'
import { blockOf } from '#web/lib/trackers/block-of.ts'
import { accountQuery } from '#web/lib/trackers/queries.ts'
import { useSetMode } from '#web/lib/trackers/use-set-mode.ts'
import { updateWords } from '#web/lib/words.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** After a theft: lost mode, unless it is on already or not possible (D-34). */
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
