import { useSyncExternalStore } from 'react'
import { storage } from '#web/lib/storage.ts'

/** Units of distances and speeds; `auto` follows the region of the browser. */
export const UNITS = ['auto', 'km', 'miles'] as const
export type Units = (typeof UNITS)[number]

const listeners = new Set<() => void>()

const read = (): Units => UNITS.find((known) => known === storage.get('units')) ?? 'auto'

/** Stored in this browser, not in the account. */
export function saveUnits(units: Units) {
  if (units === 'auto') storage.remove('units')
  else storage.set('units', units)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useUnits = () => useSyncExternalStore(subscribe, read)
