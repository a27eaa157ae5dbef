import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { updateFrequency, updateWording } from '#contracts/rules/frequency.ts'
import { updateWords } from '#web/lib/i18n/words.ts'
import { Tick } from '#web/ui/form/tick.tsx'
import { codeOf, type ModeDraft } from './mode-draft.ts'

type Props = { device: Device; draft: ModeDraft; onChange: (draft: ModeDraft) => void }

/** Plane and lost mode, of which at most one is on. */
export function SpecialModes({ device: { type, tracker_config: config }, draft, onChange }: Props) {
  const { t } = useTranslation()
  const lost = updateFrequency(type, config.board_name, codeOf({ ...draft, special: 'lost' }, config))
  const set = (special: 'plane' | 'lost', isOn: boolean) => onChange({ ...draft, special: isOn ? special : null })
  return (
    <div>
      <Tick
        checked={draft.special === 'lost'}
        onChange={({ target }) => set('lost', target.checked)}
        hint={t('settings.lostHint', { updates: updateWords(t, updateWording(lost)) })}
      >
        {t('mode.lost')}
      </Tick>
      <Tick checked={draft.special === 'plane'} onChange={({ target }) => set('plane', target.checked)} hint={t('settings.planeHint')}>
        {t('mode.plane')}
      </Tick>
    </div>
  )
}
