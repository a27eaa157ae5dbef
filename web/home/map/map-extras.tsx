import { IconCurrentLocation } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFeature } from '#web/lib/api/features.ts'
import { FullScreenTool } from '#web/map/tools/full-screen-tool.tsx'
import { MapTool } from '#web/map/tools/map-tool.tsx'
import { usePlaces } from '#web/places/use-places.ts'
import { useHasRight } from '#web/signed-in/use-has-right.ts'
import { LayersTool } from './layers-tool.tsx'
import { PlacesLayer } from './places-layer.tsx'
import type { Layers } from './use-layers.ts'

/** Loaded after the trackers are drawn: places (for roles that may read them), the layer menu and full screen. */
export default function MapExtras({ layers, onLocate }: { layers: Layers; onLocate: () => void }) {
  const { t } = useTranslation()
  const places = usePlaces(layers.has('places'))
  const mayRead = useHasRight('readPlaces')
  const hasPlaces = useFeature('places') && mayRead
  return (
    <>
      <PlacesLayer places={places} />
      <FullScreenTool />
      <MapTool label={t('map.locate')} onClick={onLocate}>
        <IconCurrentLocation size={20} />
      </MapTool>
      <LayersTool layers={layers} places={places} hasPlaces={hasPlaces} />
    </>
  )
}
