import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { MonitoringLevels, SpecialModes, toModeCode, toModeDraft } from '#web/tracker-settings/mode-fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { useChangeMode } from './use-change-mode.ts'

export default function ModeDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation()
  const config = device.tracker_config
  const first = toModeDraft(config.pending_mode ?? config.mode)
  const [draft, setDraft] = useState(first)
  const code = toModeCode(draft, config)
  const change = useChangeMode(device, onClose)
  const parts = { device, draft, onChange: setDraft }
  return (
    <Dialog sheet="mode" title={t('modes.heading', { name: device.name })} lead={t('modes.lead')} onClose={onClose}>
      {config.pending_mode !== null && <p role="status">{t('tracker.state.pending')}</p>}
      <FormAlert>{change.isError ? t('error.general') : null}</FormAlert>
      <MonitoringLevels {...parts} />
      <SpecialModes {...parts} />
      <DialogFoot>
        <Button h={44} loading={change.isPending} disabled={code === toModeCode(first, config)} onClick={() => change.mutate(code)}>
          {t('modes.save')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
