import { useSyncExternalStore } from 'react'
import { config } from '#web/lib/config.ts'
import { storage } from '#web/lib/storage.ts'

const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const isSatellite = () => config().satellite !== undefined && storage.get('mapBase') === 'satellite'

/** Whether maps show satellite images: saved, and only if they are configured. */
export const useIsSatellite = () => useSyncExternalStore(subscribe, isSatellite)

export const showSatellite = (on: boolean) => {
  if (on) storage.set('mapBase', 'satellite')
  else storage.remove('mapBase')
  for (const listener of listeners) listener()
}
