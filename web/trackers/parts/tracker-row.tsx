import { IconAlertTriangleFilled } from '@tabler/icons-react'
import { type CSSProperties, memo, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Device } from '#contracts/trackers/devices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { attentionReasons, lastContact, stateGroup, trackerState } from '#web/trackers/state.ts'
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
  /** Pixels of the row's height. */
  density?: number
}

/** Pixels of the disc in a row of each height. */
const discSize = (density: number) => (density >= 60 ? 40 : density >= 44 ? 32 : 24)

export const TrackerRow = memo(function TrackerRow({ device, place, now, isChosen = false, density = 60 }: Props) {
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
    <Link
      ref={row}
      to={`/trackers/${encodeURIComponent(device.id)}`}
      className={classes.row}
      data-tracker={device.id}
      aria-current={isChosen ? 'true' : undefined}
      data-group={stateGroup(device, now)}
      style={{ '--row': `${density / 16}rem` } as CSSProperties}
      data-one-line={density < 44 || undefined}
    >
      <KindDisc of={device} size={discSize(density)} />
      <span className={classes.mid}>
        <span className={classes.name}>
          <b data-fit>{device.name}</b>
          {attention.length > 0 && (
            <IconAlertTriangleFilled size={14} className={classes.mark} role="img" aria-hidden="false" aria-label={attention.join(', ')} />
          )}
        </span>
        <small title={joined(state, place, address)}>
          <StateDot state={trackerState(device, now)} />
          <span data-fit>{joined(state, place ?? address)}</span>
        </small>
      </span>
      <span className={classes.end}>
        <BatteryGlyph device={device} />
        {heard && <small>{formats.age(heard, now)}</small>}
      </span>
    </Link>
  )
})
