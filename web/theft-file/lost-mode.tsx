import { Button } from '@mantine/core'
import { IconShieldExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { lostMode, modeLabel } from '#contracts/rules/tracking/mode.ts'
import { frequencyWording, movingFrequency } from '#contracts/rules/tracking/reporting.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { clock, useNow } from '#web/lib/clock.ts'
import { updateWords } from '#web/lib/i18n/words.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { blockReason } from '#web/trackers/block-reason.ts'
import { useSetMode } from '#web/trackers/live/use-set-mode.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Section } from './section.tsx'
import classes from './theft-file.module.css'

/** Turns on lost mode, which is pending until the tracker's next communication. */
export function LostModeSection({ device }: { device: Device }) {
  const { t } = useTranslation()
  const why = useId()
  const now = useNow()
  const role = useQuery(sessionQuery()).data?.role
  const change = useSetMode(device, () => undefined)
  const { mode, pending_mode, usage } = device.tracker_config
  const block = role === undefined ? null : blockReason('lost', device, role, now)
  const isLost = modeLabel(pending_mode ?? mode).kind === 'lost'
  return (
    <Section icon={<IconShieldExclamation size={20} />} title={t('attention.lost')}>
      <p>{t('theft.lostLead')}</p>
      <FormAlert>{change.isError ? t('error.general') : null}</FormAlert>
      {isLost && (
        <p className={classes.status} data-status="open" role="status">
          {pending_mode === null ? t('theft.lostOn') : t('tracker.state.pending')}
        </p>
      )}
      {!isLost && (
        <div className={classes.buttons}>
          <Button
            h={44}
            disabled={role === undefined || block !== null}
            aria-describedby={block ? why : undefined}
            loading={change.isPending}
            onClick={() => change.mutate(lostMode(usage))}
          >
            {t('lost.confirm')}
          </Button>
        </div>
      )}
      {!isLost && block && (
        <p id={why} className={classes.why}>
          {t(`tracker.blocked.${block}`)}
        </p>
      )}
    </Section>
  )
}

/** Offers lost mode after a theft report, unless it is already on or not possible. */
export function LostModeDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation()
  const change = useSetMode(device, onClose)
  const role = useQuery(sessionQuery()).data?.role ?? ''
  const { mode, pending_mode, usage, board_name } = device.tracker_config
  const isLost = modeLabel(pending_mode ?? mode).kind === 'lost'
  const hasModes = useFeature('modes')
  if (!hasModes || isLost || blockReason('lost', device, role, clock.now())) return null
  const code = lostMode(usage)
  const updates = updateWords(t, frequencyWording(movingFrequency(device.type, board_name, code)))
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
