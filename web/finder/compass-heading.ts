import { useEffect, useState } from 'react'

declare global {
  interface DeviceOrientationEvent {
    /** Degrees clockwise from magnetic north; Safari only. */
    readonly webkitCompassHeading?: number
  }
}

/** A device with a compass reports within this time. */
const PATIENCE_MS = 2000

/** iOS asks for permission, and only on a tap; other systems need none. */
export async function askForCompass(): Promise<boolean> {
  if (typeof DeviceOrientationEvent === 'undefined') return false
  if (!('requestPermission' in DeviceOrientationEvent) || typeof DeviceOrientationEvent.requestPermission !== 'function') return true
  try {
    return (await DeviceOrientationEvent.requestPermission()) === 'granted'
  } catch {
    return false
  }
}

/** Degrees clockwise from north to which the top of the device points; undefined when the event does not say. */
export function readHeading({ webkitCompassHeading, absolute, alpha }: DeviceOrientationEvent, screenAngle: number): number | undefined {
  if (webkitCompassHeading !== undefined) return (webkitCompassHeading + screenAngle + 360) % 360
  return absolute && alpha !== null ? (360 - alpha + screenAngle) % 360 : undefined
}

/** The heading of the device while its compass may be read: null until it reports, 'missing' when it does not. */
export function useHeading(isAllowed: boolean): number | 'missing' | null {
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
