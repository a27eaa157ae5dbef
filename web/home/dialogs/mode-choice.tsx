import { useTranslation } from 'react-i18next'
import { allowedModes, isAnimal, type ModeCode, type ModeLabel, modeLabel } from '#contracts/rules/tracking/mode.ts'
import { frequencyWording, movingFrequency } from '#contracts/rules/tracking/reporting.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { modeWords, updateWords } from '#web/lib/i18n/words.ts'
import { showToast } from '#web/lib/toasts.ts'
import { useSetMode } from '#web/trackers/live/use-set-mode.ts'
import { Choices } from '#web/ui/form/choices.tsx'

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

/**
 * Modes offered to the user: those the tracker accepts, except an animal's plain levels, whose labels would look the same as the animal
 * levels.
 */
export const offeredModes = ({ tracker_config: { usage, board_name } }: Device): ModeCode[] =>
  allowedModes(usage, board_name).filter((code) => {
    const label = modeLabel(code)
    return !(isAnimal(usage) && label.kind === 'level' && label.variant === 'none')
  })

/** Modes that end lost or plane mode: the monitoring levels, or the configurable mode. */
export const levelModes = (device: Device): ModeCode[] =>
  offeredModes(device).filter((code) => {
    const { kind } = modeLabel(code)
    return kind === 'level' || kind === 'configurable'
  })

type Props = { device: Device; legend: string; codes: readonly number[]; value: number; onChange: (code: number) => void }

/** An animal is offered only the levels of animals, so the choice need not name them. */
const labelOf = (code: number): ModeLabel => {
  const label = modeLabel(code)
  return label.kind === 'level' && label.variant === 'animal' ? { ...label, variant: 'none' } : label
}

export function ModeChoice({ device, legend, codes, value, onChange }: Props) {
  const { t } = useTranslation()
  const { type, tracker_config: config } = device
  const frequency = (code: number) =>
    code === config.mode ? config.frequency_moving : movingFrequency(type, config.board_name, code, undefined)
  const hint = (code: number) => {
    const range = frequency(code)
    return range || modeLabel(code).kind === 'plane' ? updateWords(t, frequencyWording(range)) : undefined
  }
  return (
    <Choices
      isList
      legend={legend}
      name="mode"
      value={String(value)}
      onChange={(code) => onChange(Number(code))}
      choices={codes.map((code) => ({ value: String(code), label: modeWords(t, labelOf(code)), hint: hint(code) }))}
    />
  )
}
