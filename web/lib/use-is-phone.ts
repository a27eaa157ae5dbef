import { useSyncExternalStore } from 'react'

/** As in the style sheets: the navigation is a bar of tabs at the bottom. */
const findMedia = () => window.matchMedia('(max-width: 768px)')

const subscribe = (changed: () => void) => {
  const media = findMedia()
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

export const useIsPhone = () => useSyncExternalStore(subscribe, () => findMedia().matches)
