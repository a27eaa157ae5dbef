import { IconMaximize, IconMinimize } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useMapStage } from '#web/map/map-context.ts'
import { MapTool } from './map-tool.tsx'

const subscribe = (changed: () => void) => {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}

const hasMouse = () => window.matchMedia('(pointer: fine)').matches

/** Toggles full screen for the map and everything floating on it. Not offered on a phone, where the map already fills the screen. */
export function FullScreenTool() {
  const { t } = useTranslation()
  const { map } = useMapStage()
  const isFull = useSyncExternalStore(subscribe, () => Boolean(document.fullscreenElement))
  if (!document.fullscreenEnabled || !hasMouse()) return null
  // The floating elements are siblings of the map's frame, so the common ancestor goes full screen.
  const around = map.getContainer().parentElement?.parentElement
  return (
    <MapTool
      label={isFull ? t('map.leaveFullScreen') : t('map.fullScreen')}
      onClick={() => void (isFull ? document.exitFullscreen() : around?.requestFullscreen())}
    >
      {isFull ? <IconMinimize size={20} /> : <IconMaximize size={20} />}
    </MapTool>
  )
}
