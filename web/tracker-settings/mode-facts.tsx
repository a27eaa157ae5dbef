import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import { frequencyWording, stationaryWording } from '#contracts/rules/tracking/reporting.ts'
import { isSct2Board } from '#contracts/rules/tracking/tracker.ts'
import { modeWords, updateWords } from '#web/lib/i18n/words.ts'
import { Configurable } from './mode-fields.tsx'
import classes from './settings.module.css'

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
