/** What leads to a tracker, as one chunk that the map loads once a tracker is chosen or the user asks for the own position. */
export { FinderCard } from './finder-card.tsx'
export { FinderMap } from './finder-map.tsx'
export { RenewLink } from './renew-link.tsx'
