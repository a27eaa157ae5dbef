import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { formatSubscription } from '#web/billing/subscription.format.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import classes from './shop.module.css'

export function TrackerHeading({ device, isNamed = false }: { device: Device; isNamed?: boolean }) {
  const { t } = useTranslation()
  const standing = formatSubscription(t, useFormats(), device, useNow())
  return (
    <div className={classes.head}>
      <KindDisc of={device} />
      <p>
        {isNamed && <strong>{device.name}</strong>}
        <span>{standing}</span>
      </p>
    </div>
  )
}
