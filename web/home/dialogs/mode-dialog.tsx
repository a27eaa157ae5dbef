import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isModeCode } from '#contracts/rules/tracking/mode.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { ModeChoice, offeredModes, useChangeMode } from './mode-choice.tsx'

export default function ModeDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation()
  const { mode, pending_mode } = device.tracker_config
  const [code, setCode] = useState<number>(pending_mode ?? mode)
  // An unlisted mode stays selectable.
  const codes = [...offeredModes(device), ...(isModeCode(pending_mode ?? mode) ? [] : [pending_mode ?? mode])]
  const change = useChangeMode(device, onClose)
  return (
    <Dialog sheet="mode" title={t('modes.heading', { name: device.name })} lead={t('modes.lead')} onClose={onClose}>
      {pending_mode !== null && <p role="status">{t('tracker.state.pending')}</p>}
      <FormAlert>{change.isError ? t('error.general') : null}</FormAlert>
      <ModeChoice device={device} legend={t('mode.label')} codes={codes} value={code} onChange={setCode} />
      <DialogFoot>
        <Button h={44} loading={change.isPending} disabled={code === (pending_mode ?? mode)} onClick={() => change.mutate(code)}>
          {t('modes.save')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
