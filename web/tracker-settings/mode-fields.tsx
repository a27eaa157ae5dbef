import { IconAdjustmentsHorizontal, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { supportsVehicleAlert } from '#contracts/rules/tracking/alert.ts'
import {
  isAnimal,
  isModeCode,
  lostMode,
  MONITORING_LEVELS,
  type MonitoringLevel,
  modeCode,
  modeLabel,
  type Usage,
} from '#contracts/rules/tracking/mode.ts'
import { frequencyWording, movingFrequency, stationaryWording } from '#contracts/rules/tracking/reporting.ts'
import { isSct2Board } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { modeWords, updateWords } from '#web/lib/i18n/words.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { ChoiceCards } from '#web/ui/form/choices.tsx'
import classes from './settings.module.css'

/** A mode as edited on the settings page. Plane and lost mode override the level, which is the code itself for an unknown mode. */
export type ModeDraft = { special: 'plane' | 'lost' | null; level: MonitoringLevel | number; hasAlert: boolean }

export const toModeDraft = (code: number): ModeDraft => {
  const label = modeLabel(code)
  if (label.kind === 'level') return { special: null, level: label.level, hasAlert: label.variant === 'vehicle' }
  if (label.kind === 'unknown') return { special: null, level: code, hasAlert: false }
  return { special: label.kind === 'plane' || label.kind === 'lost' ? label.kind : null, level: 'standard', hasAlert: false }
}

/** The mode code of a draft; animals have their own codes for each level. */
export const toModeCode = (
  { special, level, hasAlert }: ModeDraft,
  { usage, board_name }: { usage: Usage; board_name: string },
): number => {
  if (special) return special === 'plane' ? 4 : lostMode(usage)
  if (typeof level === 'number') return level
  if (isSct2Board(board_name)) return 50
  return modeCode(level, isAnimal(usage) ? 'animal' : hasAlert ? 'vehicle' : 'none')
}

type Props = { device: Device; draft: ModeDraft; onChange: (draft: ModeDraft) => void }

/** Monitoring levels, or the link to the parameters of a configurable tracker. Hidden in plane and lost mode. */
export function MonitoringLevels({ device, draft, onChange }: Props) {
  const { t } = useTranslation()
  if (draft.special) return null
  if (isSct2Board(device.tracker_config.board_name)) return <Configurable id={device.id} />
  return (
    <>
      <LevelCards device={device} draft={draft} onChange={onChange} />
      {supportsVehicleAlert(device.kind) && (
        <CheckboxField
          checked={draft.hasAlert}
          onChange={({ target }) => onChange({ ...draft, hasAlert: target.checked })}
          hint={t('settings.vehicleAlertHint')}
        >
          {t('settings.vehicleAlert')}
        </CheckboxField>
      )}
    </>
  )
}

function LevelCards({ device, draft, onChange }: Props) {
  const { t } = useTranslation()
  const { type, tracker_config: config } = device
  const use: Record<MonitoringLevel, string> = {
    standard: t('settings.low'),
    // The specified wording, although "medium" is not a level.
    high: t('monitoring.medium'),
    intense: t('settings.high'),
  }
  const requested = config.pending_mode ?? config.mode
  const formatUpdates = (level: MonitoringLevel) =>
    updateWords(t, frequencyWording(movingFrequency(type, config.board_name, toModeCode({ ...draft, level }, config))))
  return (
    <ChoiceCards
      legend={t('settings.level')}
      name="level"
      value={String(draft.level)}
      onChange={(value) => onChange({ ...draft, level: pickListed(MONITORING_LEVELS, value, requested) })}
      choices={[
        ...MONITORING_LEVELS.map((level) => ({
          value: level,
          label: t(`monitoring.${level}`),
          hint: (
            <>
              <span className={classes.updates}>{t('settings.updates', { updates: formatUpdates(level) })}</span>
              <span>{t('settings.battery', { amount: use[level] })}</span>
            </>
          ),
        })),
        ...(isModeCode(requested) ? [] : [{ value: String(requested), label: modeWords(t, modeLabel(requested)) }]),
      ]}
    />
  )
}

function Configurable({ id }: { id: number }) {
  const { t } = useTranslation()
  if (!useFeature('sct2')) return null
  return (
    <Link to={`/config_sct2?id=${encodeURIComponent(id)}`} className={classes.link}>
      <IconAdjustmentsHorizontal size={22} aria-hidden="true" />
      <span>
        {t('mode.configurable')}
        <small>{t('settings.configurableHint')}</small>
      </span>
      <IconChevronRight size={18} aria-hidden="true" />
    </Link>
  )
}

type SpecialModesProps = { device: Device; draft: ModeDraft; onChange: (draft: ModeDraft) => void }

/** Plane and lost mode, of which at most one is on. */
export function SpecialModes({ device: { type, tracker_config: config }, draft, onChange }: SpecialModesProps) {
  const { t } = useTranslation()
  const lost = movingFrequency(type, config.board_name, toModeCode({ ...draft, special: 'lost' }, config))
  const set = (special: 'plane' | 'lost', isOn: boolean) => onChange({ ...draft, special: isOn ? special : null })
  return (
    <div>
      <CheckboxField
        checked={draft.special === 'lost'}
        onChange={({ target }) => set('lost', target.checked)}
        hint={t('settings.lostHint', { updates: updateWords(t, frequencyWording(lost)) })}
      >
        {t('mode.lost')}
      </CheckboxField>
      <CheckboxField
        checked={draft.special === 'plane'}
        onChange={({ target }) => set('plane', target.checked)}
        hint={t('settings.planeHint')}
      >
        {t('mode.plane')}
      </CheckboxField>
    </div>
  )
}

/** The mode of a tracker whose backend cannot change it. A configurable tracker still has its parameters. */
export function ModeFacts({ device }: { device: Device }) {
  const { t } = useTranslation()
  const { mode, board_name, frequency_moving, frequency_stationary } = device.tracker_config
  return (
    <div className={classes.section}>
      <p>
        <strong>{modeWords(t, modeLabel(mode))}</strong>
      </p>
      <p className={classes.note}>{t('settings.updates', { updates: updateWords(t, frequencyWording(frequency_moving)) })}</p>
      <p className={classes.note}>{t('settings.stationary', { updates: updateWords(t, stationaryWording(frequency_stationary)) })}</p>
      {isSct2Board(board_name) && <Configurable id={device.id} />}
    </div>
  )
}
