import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lostMode, modeLabel } from '#contracts/rules/tracking/mode.ts'
import { frequencyWording, movingFrequency } from '#contracts/rules/tracking/reporting.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { updateWords } from '#web/lib/i18n/words.ts'
import { MonitoringLevels, toModeCode, toModeDraft } from '#web/tracker-settings/mode-fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { useChangeMode } from './use-change-mode.ts'

type Props = { device: Device; onClose: () => void }

export default function LostDialog(props: Props) {
  const { mode, pending_mode } = props.device.tracker_config
  return modeLabel(pending_mode ?? mode).kind === 'lost' ? <Leave {...props} /> : <Enter {...props} />
}

function Enter({ device, onClose }: Props) {
  const { t } = useTranslation()
  const change = useChangeMode(device, onClose)
  const code = lostMode(device.tracker_config.usage)
  const updates = updateWords(t, frequencyWording(movingFrequency(device.type, device.tracker_config.board_name, code)))
  return (
    <Dialog sheet="lost" title={t('lost.heading', { name: device.name })} lead={t('lost.lead', { updates })} onClose={onClose}>
      <FormAlert>{change.isError ? t('error.general') : null}</FormAlert>
      <Button h={44} color="red.8" autoContrast={false} loading={change.isPending} onClick={() => change.mutate(code)}>
        {t('lost.confirm')}
      </Button>
      <Button h={44} variant="default" onClick={onClose}>
        {t('action.cancel')}
      </Button>
    </Dialog>
  )
}

function Leave({ device, onClose }: Props) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(toModeDraft(lostMode(device.tracker_config.usage)))
  const level = { ...draft, special: null }
  const change = useChangeMode(device, onClose)
  return (
    <Dialog sheet="lost" title={t('lost.leave', { name: device.name })} lead={t('lost.leaveLead')} onClose={onClose}>
      <FormAlert>{change.isError ? t('error.general') : null}</FormAlert>
      <MonitoringLevels device={device} draft={level} onChange={setDraft} />
      <DialogFoot>
        <Button h={44} loading={change.isPending} onClick={() => change.mutate(toModeCode(level, device.tracker_config))}>
          {t('modes.save')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
