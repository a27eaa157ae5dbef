import { IconCurrentLocation, IconStack2 } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Place } from '#contracts/places.ts'
import { lazy } from '#web/lib/chunk.ts'
import { config } from '#web/lib/config.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { showSatellite, useIsSatellite } from '#web/map/base-layer.ts'
import { showAll } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import type { PinItem } from '#web/map/pins/pins.tsx'
import { boxCorners } from '#web/map/shapes/circles.tsx'
import { FullScreenTool } from '#web/map/tools/full-screen-tool.tsx'
import { MapTool } from '#web/map/tools/map-tool.tsx'
import { RectangleTool } from '#web/map/tools/rectangle-tool.tsx'
import { PlaceIcon } from '#web/places/place-icon.tsx'
import { usePlaces } from '#web/places/places.queries.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import classes from './map-extras.module.css'
import { LAYERS, type Layers } from './use-layers.ts'

const PlacesLayer = lazy(() => import('./places-layer.tsx'))

type ExtrasProps = { layers: Layers; items: readonly PinItem[]; onPick?: ((ids: number[]) => void) | undefined; onLocate: () => void }

/** Loaded after the trackers are drawn: places (for roles that may read them), the layer menu and full screen. */
export default function MapExtras({ layers, items, onPick, onLocate }: ExtrasProps) {
  const { t } = useTranslation()
  const places = usePlaces(layers.has('places'))
  const mayRead = useHasRight('readPlaces')
  const hasPlaces = useFeature('places') && mayRead
  return (
    <>
      <Suspense>{places.length > 0 && <PlacesLayer places={places} />}</Suspense>
      {onPick && <RectangleTool label={t('map.rectangle')} points={items} onPick={(inside) => onPick(inside.map(({ id }) => id))} />}
      <FullScreenTool />
      <MapTool label={t('map.locate')} onClick={onLocate}>
        <IconCurrentLocation size={20} />
      </MapTool>
      <LayersTool layers={layers} places={places} hasPlaces={hasPlaces} />
    </>
  )
}

type Props = { layers: Layers; places: readonly Place[]; hasPlaces: boolean }

function LayersTool({ layers, places, hasPlaces }: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <fieldset
      className={classes.around}
      aria-label={t('map.layers')}
      onBlur={({ relatedTarget, currentTarget }) => !currentTarget.contains(relatedTarget) && setOpen(false)}
      onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
    >
      <MapTool label={t('map.layers')} isExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconStack2 size={20} />
      </MapTool>
      {isOpen && (
        <div className={classes.layers} tabIndex={-1}>
          <SatelliteBox />
          {LAYERS.filter((layer) => hasPlaces || layer !== 'places').map((layer) => (
            <label key={layer}>
              <input type="checkbox" checked={layers.has(layer)} onChange={() => layers.toggle(layer)} />
              {layer === 'places' ? t('nav.places') : t(`map.${layer}`)}
            </label>
          ))}
          {places.length > 0 && <PlaceList places={places} />}
        </div>
      )}
    </fieldset>
  )
}

function SatelliteBox() {
  const { t } = useTranslation()
  const isSatellite = useIsSatellite()
  if (!config().satellite) return null
  return (
    <label>
      <input type="checkbox" checked={isSatellite} onChange={({ target }) => showSatellite(target.checked)} />
      {t('map.satellite')}
    </label>
  )
}

function PlaceList({ places }: { places: readonly Place[] }) {
  const { t } = useTranslation()
  const { map, padding } = useMapStage()
  return (
    <ul aria-label={t('nav.places')}>
      {places.map((place) => (
        <li key={place.id}>
          <button type="button" onClick={() => showAll(map, boxCorners(place), padding)}>
            <PlaceIcon type={place.type} size={16} />
            <span>{place.name}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
