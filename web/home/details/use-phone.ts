import { useSyncExternalStore } from 'react'
import { NO_PADDING, type Padding } from '#web/map/camera.ts'

const PHONE = '(max-width: 768px)'

const subscribe = (changed: () => void) => {
  const media = window.matchMedia(PHONE)
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

/** A narrow window: the list and the card live in a sheet over the map. */
export const useIsPhone = () => useSyncExternalStore(subscribe, () => window.matchMedia(PHONE).matches)

/** Heights of the sheet: its title, the card, everything. */
export const SHEET_STOPS = [0.17, 0.52, 0.9] as const

/** The stop at which the card is read and the map is still seen. */
export const CARD_STOP = 1

const SEARCH_HEIGHT = 60

/** The card at the bottom left covers this much of a wide map, or of a narrow one. */
export const CARD_PADDING: Padding = { ...NO_PADDING, left: window.innerWidth > 920 ? 376 : 300 }

const paddings = new Map<number, Padding>()

/** What the search field and the sheet cover; a full sheet counts as a half one, for there would be no map left. */
export const sheetPadding = (stop: number): Padding => {
  const share = SHEET_STOPS[Math.min(stop, CARD_STOP)] ?? 0
  const known = paddings.get(stop) ?? { ...NO_PADDING, top: SEARCH_HEIGHT, bottom: Math.round(window.innerHeight * share) }
  paddings.set(stop, known)
  return known
}
