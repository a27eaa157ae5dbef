import { IconMaximize, IconMinimize } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useStage } from './map-context.ts'
import { MapTool } from './map-tool.tsx'

const subscribe = (changed: () => void) => {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}

const hasMouse = () => window.matchMedia('(pointer: fine)').matches

/** The map over the whole screen, with what floats on it; a phone's map is as large as it gets already. */
export function FullScreenTool() {
  const { t } = useTranslation()
  const { map } = useStage()
  const isFull = useSyncExternalStore(subscribe, () => Boolean(document.fullscreenElement))
  if (!document.fullscreenEnabled || !hasMouse()) return null
  // What floats on a map stands beside its frame.
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
