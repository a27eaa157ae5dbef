import { useTranslation } from 'react-i18next'
import { type ModeLabel, modeLabel } from '#contracts/rules/tracking/mode.ts'
import { frequencyWording, movingFrequency } from '#contracts/rules/tracking/reporting.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { modeWords, updateWords } from '#web/lib/i18n/words.ts'
import { Choices } from '#web/ui/form/choices.tsx'

type Props = { device: Device; legend: string; codes: readonly number[]; value: number; onChange: (code: number) => void }

/** An animal is offered the levels of animals only, so the choice need not name them. */
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
