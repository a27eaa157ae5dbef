import type { TFunction } from 'i18next'
import { useSyncExternalStore } from 'react'
import { bearingDegrees, distanceMeters, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { Formats } from '#web/lib/i18n/format.ts'
import { onSessionEnd } from '#web/lib/session.ts'

/** `accuracy` is a radius in metres. */
export type MyFix = LatLng & { accuracy: number }

type MyPosition = {
  /** Whether the user requested it. */
  isWanted: boolean
  /** Number of requests: each shows the position on the map once. */
  requests: number
  fix: MyFix | null
  problem: 'denied' | 'unavailable' | null
}

const NOWHERE: MyPosition = { isWanted: false, requests: 0, fix: null, problem: null }

let current = NOWHERE
let watch: number | null = null
const listeners = new Set<() => void>()

function set(next: MyPosition) {
  current = next
  for (const listener of listeners) listener()
}

/** Watches the position only while the screen shows it, to spare the battery. */
function updateWatch() {
  const { geolocation } = navigator
  const isNeeded = current.isWanted && listeners.size > 0
  if (isNeeded && watch === null) {
    if (!geolocation) return set({ ...current, problem: 'unavailable' })
    watch = geolocation.watchPosition(
      ({ coords: { latitude, longitude, accuracy } }) =>
        set({ ...current, fix: { lat: latitude, lng: longitude, accuracy }, problem: null }),
      ({ code, PERMISSION_DENIED }) => {
        if (code === PERMISSION_DENIED) {
          endWatch()
          set({ ...NOWHERE, problem: 'denied' })
        } else if (!current.fix) set({ ...current, problem: 'unavailable' })
        // Otherwise the watch continues from the last fix.
      },
      { enableHighAccuracy: true, maximumAge: 5000, timeout: 30_000 },
    )
  }
  if (!isNeeded) endWatch()
}

/** A position from an earlier screen is discarded, because it would be outdated. */
function endWatch() {
  if (watch !== null) navigator.geolocation.clearWatch(watch)
  watch = null
  current = { ...current, fix: null }
}

onSessionEnd(() => {
  set(NOWHERE)
  updateWatch()
})

/** Requests the user's own position; the browser may ask for permission, so this is only called on a tap. */
export function locateMe() {
  set({ ...current, isWanted: true, requests: current.requests + 1, problem: null })
  updateWatch()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  updateWatch()
  return () => {
    listeners.delete(listener)
    updateWatch()
  }
}

export const useMyPosition = () => useSyncExternalStore(subscribe, () => current)

const BEARINGS = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const

/** One of the eight winds. */
export const bearingWords = (t: TFunction, degrees: number) => t(`finder.bearing.${BEARINGS[Math.round(degrees / 45) % 8] ?? 'n'}`)

/** "850 m from you, north-east"; "within 40 m" when the distance is smaller than the combined accuracy. */
export function wayWords(t: TFunction, formats: Formats, me: MyFix, at: LatLng & { precision: number }) {
  const meters = distanceMeters(me, at)
  const blur = me.accuracy + at.precision
  if (meters <= blur) return t('finder.within', { distance: formats.distance(blur) })
  return t('finder.away', { distance: formats.distance(meters), direction: bearingWords(t, bearingDegrees(me, at)) })
}
