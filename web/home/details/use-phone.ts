import { useSyncExternalStore } from 'react'
import { NO_PADDING, type Padding } from '#web/map/camera.ts'

const PHONE = '(max-width: 768px)'

const subscribe = (changed: () => void) => {
  const media = window.matchMedia(PHONE)
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

/** In a narrow window, list and card are in a sheet over the map. */
export const useIsPhone = () => useSyncExternalStore(subscribe, () => window.matchMedia(PHONE).matches)

/** Stops of the sheet as shares of the height: title, card, everything. */
export const SHEET_STOPS = [0.17, 0.52, 0.9] as const

/** Index of the stop at which the card is readable and the map still visible. */
export const CARD_STOP = 1

const SEARCH_HEIGHT = 60

/** Pixels of the map that the card covers, on wide and on narrow maps. */
export const CARD_PADDING: Padding = { ...NO_PADDING, left: window.innerWidth > 920 ? 376 : 300 }

const paddings = new Map<number, Padding>()

/** Pixels that the search field and the sheet cover. A full sheet counts as half open, because no map would be left. */
export const sheetPadding = (stop: number): Padding => {
  const share = SHEET_STOPS[Math.min(stop, CARD_STOP)] ?? 0
  const known = paddings.get(stop) ?? { ...NO_PADDING, top: SEARCH_HEIGHT, bottom: Math.round(window.innerHeight * share) }
  paddings.set(stop, known)
  return known
}
