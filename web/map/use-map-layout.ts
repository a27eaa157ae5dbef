import { useSyncExternalStore } from 'react'

/** As in the style sheets. A phone in landscape, or a small window at a zoom of 200 %: a column of 320 pixels next to the map. */
const LOW = '(min-width: 560px) and (max-width: 1000px) and (max-height: 499px)'
/** Phones and upright tablets: a sheet over the map. */
const NARROW = '(max-width: 1000px)'

type MapLayout = 'wide' | 'low' | 'narrow'

const matches = (query: string) => window.matchMedia(query).matches

const read = (): MapLayout => (matches(LOW) ? 'low' : matches(NARROW) ? 'narrow' : 'wide')

const subscribe = (changed: () => void) => {
  const media = [LOW, NARROW].map((query) => window.matchMedia(query))
  for (const each of media) each.addEventListener('change', changed)
  return () => {
    for (const each of media) each.removeEventListener('change', changed)
  }
}

/** The layout of a screen with a map in the current window. */
export const useMapLayout = () => useSyncExternalStore(subscribe, read)
