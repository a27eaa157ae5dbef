import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { useNow } from '#web/lib/clock.ts'
import { KindDisc } from '#web/lib/trackers/kind-disc.tsx'
import { useFormats } from '#web/lib/use-formats.ts'
import classes from './shop.module.css'
import { standingWords } from './state-words.ts'

/** Whose subscription it is, and how it stands. */
export function TrackerHead({ device, isNamed = false }: { device: Device; isNamed?: boolean }) {
  const { t } = useTranslation()
  const standing = standingWords(t, useFormats(), device, useNow())
  return (
    <div className={classes.head}>
      <KindDisc kind={device.kind} />
      <p>
        {isNamed && <strong>{device.name}</strong>}
        <span>{standing}</span>
      </p>
    </div>
  )
}
