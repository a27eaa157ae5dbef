import { IconAlertTriangleFilled } from '@tabler/icons-react'
import { memo, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Device } from '#contracts/trackers/devices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { attentionReasons, lastContact, trackerState } from '#web/trackers/state.ts'
import { addressWords, stateWords } from '#web/trackers/tracker-words.ts'
import { BatteryGlyph } from './battery-glyph.tsx'
import { KindDisc } from './kind-icon.tsx'
import { StateDot } from './state-dot.tsx'
import classes from './tracker-row.module.css'

type Props = {
  device: Device
  place?: string | undefined
  now: Date
  isChosen?: boolean
}

export const TrackerRow = memo(function TrackerRow({ device, place, now, isChosen = false }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const row = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  const heard = lastContact(device)
  const attention = attentionReasons(device, now).map((reason) => t(`attention.${reason}`))
  const [state, address] = [stateWords(t, device, now), addressWords(device)]
  const joined = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' · ')
  return (
    <Link ref={row} to={`/trackers/${encodeURIComponent(device.id)}`} className={classes.row} aria-current={isChosen ? 'true' : undefined}>
      <KindDisc of={device} />
      <span className={classes.mid}>
        <span className={classes.name}>
          <b>{device.name}</b>
          {attention.length > 0 && (
            <IconAlertTriangleFilled size={14} className={classes.mark} role="img" aria-hidden="false" aria-label={attention.join(', ')} />
          )}
        </span>
        <small title={joined(state, place, address)}>
          <StateDot state={trackerState(device, now)} />
          <span>{joined(state, place ?? address)}</span>
        </small>
      </span>
      <span className={classes.end}>
        <BatteryGlyph device={device} />
        {heard && <small>{formats.age(heard, now)}</small>}
      </span>
    </Link>
  )
})
