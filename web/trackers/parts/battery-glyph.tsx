import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { batteryDisplay, batteryFraction } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { batteryWords } from '#web/lib/i18n/words.ts'
import { LOW_BATTERY } from '#web/trackers/state.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import classes from './battery-glyph.module.css'

/** The battery level as picture and text; only the text when it is unknown. */
export function BatteryGlyph({ device: { type, tracker_status } }: { device: Device }) {
  const { t } = useTranslation()
  const charge = batteryFraction(type, tracker_status.battery)
  return (
    <span className={classes.battery}>
      <VisuallyHidden>{t('battery.label')}</VisuallyHidden>
      {charge !== null && (
        <span
          className={classes.cell}
          style={{ '--charge': `${Math.round(charge * 100)}%` } as CSSProperties}
          data-low={charge < LOW_BATTERY || undefined}
          aria-hidden="true"
        />
      )}
      {batteryWords(t, batteryDisplay(type, tracker_status.battery))}
    </span>
  )
}
