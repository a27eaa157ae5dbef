import { useCallback, useSyncExternalStore } from 'react'

/** Whether the window matches a media query; follows its changes. */
export function useMedia(query: string) {
  const subscribe = useCallback(
    (changed: () => void) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/** As in the style sheets: the navigation is a bar of tabs at the bottom. */
export const useIsPhone = () => useMedia('(max-width: 768px)')
