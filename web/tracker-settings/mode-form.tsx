import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import { stationaryWording } from '#contracts/rules/tracking/reporting.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { modeWords, updateWords } from '#web/lib/i18n/words.ts'
import { useSetMode } from '#web/trackers/live/use-set-mode.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SavePart } from '#web/ui/form/save-bar.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { type ModeDraft, MonitoringLevels, SpecialModes, toModeCode, toModeDraft } from './mode-fields.tsx'
import classes from './settings.module.css'

export function ModeForm({ device, isBlocked }: { device: Device; isBlocked: boolean }) {
  const { t } = useTranslation()
  const config = device.tracker_config
  const requestedMode = config.pending_mode ?? config.mode
  // The unsaved choice; null means the tracker's own mode.
  const [chosen, setChosen] = useState<ModeDraft | null>(null)
  const draft = chosen ?? toModeDraft(requestedMode)
  const code = toModeCode(draft, config)
  const change = useSetMode(device, () => setChosen(null))
  const isNew = chosen !== null && code !== toModeCode(toModeDraft(requestedMode), config)
  const parts = { device, draft, onChange: setChosen }
  return (
    <>
      {config.pending_mode !== null && (
        <p role="status" className={classes.sending}>
          <strong>{t('tracker.state.pending')}</strong>
          {t('tracker.pending', { mode: modeWords(t, modeLabel(config.pending_mode)) })}
        </p>
      )}
      <fieldset className={classes.section} disabled={isBlocked || change.isPending}>
        <FormAlert>{formatModeError(change.error, t)}</FormAlert>
        <MonitoringLevels {...parts} />
        <SpecialModes {...parts} />
        <p className={classes.note}>
          {t('settings.stationary', { updates: updateWords(t, stationaryWording(config.frequency_stationary)) })}
        </p>
      </fieldset>
      <SavePart isDirty={isNew && !isBlocked && !change.isPending} isBusy={change.isPending} save={() => change.mutate(code)} />
      <UnsavedGuard isDirty={isNew && !change.isPending} />
    </>
  )
}

const formatModeError = (error: Error | null, t: TFunction) => {
  if (!(error instanceof ApiError) || error.isLeaving) return null
  if (error.code === 'mode_not_allowed') return t('settings.notAllowed')
  return error.code === 'subscription_required' ? t('tracker.blocked.subscription') : t('error.general')
}
