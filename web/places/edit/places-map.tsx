import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Place } from '#contracts/places.ts'
import { showAll } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { MapView } from '#web/map/map-view.tsx'
import { MapMarker } from '#web/map/pins/map-marker.tsx'
import { useView } from '#web/map/pins/use-view.ts'
import { borderCorners, PlaceBorder } from '#web/map/shapes/place-border.tsx'
import { MapTools } from '#web/map/tools/map-tools.tsx'
import { PlacePin } from '#web/places/place-pin.tsx'

/** Below this zoom level the names of neighbouring places would overlap. */
const NAMES_ZOOM = 12

type Props = { places: readonly Place[]; chosen: Place | undefined; onChoose: (id: number) => void }

export default function PlacesMap({ places, chosen, onChoose }: Props) {
  const { t } = useTranslation()
  // Of several places the pins, because one large circle would crowd the others together.
  const points = useMemo(() => (places.length === 1 ? places.flatMap(borderCorners) : places), [places])
  return (
    <MapView points={points}>
      <Circles places={places} chosen={chosen} onChoose={onChoose} />
      <MapTools points={points} label={t('places.showAll')} />
    </MapView>
  )
}

function Circles({ places, chosen, onChoose }: Props) {
  const { map, padding } = useMapStage()
  const { zoom } = useView(map)
  // biome-ignore lint/correctness/useExhaustiveDependencies: choosing a place moves the map, nothing else does
  useEffect(() => {
    if (chosen) showAll(map, borderCorners(chosen), padding)
  }, [map, chosen?.id])
  return places.map((place) => (
    <div key={place.id}>
      {(place.id === chosen?.id || places.length === 1) && <PlaceBorder place={place} isStrong />}
      <MapMarker at={place} rise={place.id === chosen?.id ? 1000 : 0}>
        <PlacePin
          place={place}
          isSelected={place.id === chosen?.id}
          hasName={zoom >= NAMES_ZOOM || place.id === chosen?.id}
          onClick={() => onChoose(place.id)}
          onFocus={() => map.panInside([place.lat, place.lng], { padding: [60, 60] })}
        />
      </MapMarker>
    </div>
  ))
}
