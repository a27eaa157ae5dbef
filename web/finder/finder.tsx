import { FinderCard } from './finder-card.tsx'
import { FinderMap } from './finder-map.tsx'

/** What leads to a tracker, as one chunk that the map loads once a tracker is chosen or the user asks for the own position. */
export const finder = { FinderCard, FinderMap }
