import { IconPhoto } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { config } from '#web/lib/config.ts'
import { showSatellite, useIsSatellite } from '#web/map/base-layer.ts'
import { FullScreenTool } from './full-screen-tool.tsx'
import { MapTool } from './map-tool.tsx'

export default function MoreTools() {
  const { t } = useTranslation()
  const isSatellite = useIsSatellite()
  return (
    <>
      <FullScreenTool />
      {config().satellite && (
        <MapTool label={t('map.satellite')} isPressed={isSatellite} onClick={() => showSatellite(!isSatellite)}>
          <IconPhoto size={20} />
        </MapTool>
      )}
    </>
  )
}
