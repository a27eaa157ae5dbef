import { IconArrowUp, IconX } from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bearingDegrees } from '#contracts/rules/geo/coordinates.ts'
import type { Device, Position } from '#contracts/trackers/devices.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { openModal } from '#web/ui/overlay/open-modal.ts'
import classes from './compass.module.css'
import { type MyFix, wayWords } from './my-position.ts'
import { useWakeLock } from './use-wake-lock.ts'

declare global {
  interface DeviceOrientationEvent {
    /** Degrees clockwise from magnetic north; Safari only. */
    readonly webkitCompassHeading?: number
  }
}

/** A device with a compass reports within this time. */
const PATIENCE_MS = 2000

/** iOS asks for permission, and only after a tap; other systems need no permission. */
export async function askForCompass(): Promise<boolean> {
  if (typeof DeviceOrientationEvent === 'undefined') return false
  if (!('requestPermission' in DeviceOrientationEvent) || typeof DeviceOrientationEvent.requestPermission !== 'function') return true
  try {
    return (await DeviceOrientationEvent.requestPermission()) === 'granted'
  } catch {
    return false
  }
}

/** The direction of the device's top in degrees clockwise from north; undefined when the event does not contain it. */
export function readHeading({ webkitCompassHeading, absolute, alpha }: DeviceOrientationEvent, screenAngle: number): number | undefined {
  if (webkitCompassHeading !== undefined) return (webkitCompassHeading + screenAngle + 360) % 360
  return absolute && alpha !== null ? (360 - alpha + screenAngle) % 360 : undefined
}

/** The heading of the device while its compass may be read: null until the first report, 'missing' without a sensor. */
function useHeading(isAllowed: boolean): number | 'missing' | null {
  const [heading, setHeading] = useState<number | null>(null)
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isAllowed) return
    const turn = (event: DeviceOrientationEvent) => {
      const degrees = readHeading(event, window.screen.orientation?.angle ?? 0)
      if (degrees !== undefined) setHeading(Math.round(degrees))
    }
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    addEventListener('deviceorientationabsolute', turn)
    addEventListener('deviceorientation', turn)
    return () => {
      clearTimeout(timer)
      removeEventListener('deviceorientationabsolute', turn)
      removeEventListener('deviceorientation', turn)
    }
  }, [isAllowed])
  return heading ?? (isLate || !isAllowed ? 'missing' : null)
}

type Props = { device: Device; me: MyFix; at: Position; isAllowed: boolean; onClose: () => void }

/** Degrees to either side that count as straight ahead. */
const AHEAD = 20

const turnOf = (degrees: number) => {
  const right = ((degrees % 360) + 360) % 360
  if (right <= AHEAD || right >= 360 - AHEAD) return 'ahead'
  if (right > 180 - AHEAD && right < 180 + AHEAD) return 'behind'
  return right < 180 ? 'right' : 'left'
}

/** Fills the screen with an arrow to the tracker. Without a sensor, north is up and a note says so. */
export function Compass({ device, me, at, isAllowed, onClose }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const title = useId()
  useWakeLock(true)
  const heading = useHeading(isAllowed)
  const bearing = bearingDegrees(me, at)
  const hasSensor = typeof heading === 'number'
  const degrees = hasSensor ? bearing - heading : bearing
  const turn = turnOf(degrees)
  const isAhead = hasSensor && turn === 'ahead'
  useEffect(() => {
    // Vibration saves looking at the phone. iOS does not support it.
    if (isAhead) navigator.vibrate?.(40)
  }, [isAhead])
  return (
    <dialog ref={openModal} className={classes.compass} aria-labelledby={title} onClose={onClose} data-ahead={isAhead || undefined}>
      <header>
        <h2 id={title}>{device.name}</h2>
        <button type="button" aria-label={t('action.close')} onClick={onClose}>
          <IconX size={24} />
        </button>
      </header>
      <div className={classes.dial} style={{ rotate: `${degrees}deg` }}>
        <IconArrowUp stroke={1.6} aria-hidden="true" />
      </div>
      <div className={classes.words}>
        <strong role="status">{wayWords(t, formats, me, at)}</strong>
        {hasSensor && <p>{t(`finder.turn.${turn}`)}</p>}
        {heading === 'missing' && <p role="alert">{t('finder.noCompass')}</p>}
        <small>
          {formats.age(at.datetime, now)} · {t('tracker.accuracy', { distance: formats.meters(at.precision) })}
        </small>
      </div>
    </dialog>
  )
}
