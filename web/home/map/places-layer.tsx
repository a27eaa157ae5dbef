import L from 'leaflet'
import { type CSSProperties, useEffect, useMemo } from 'react'
import { Link } from 'react-router-dom'
import type { Place } from '#contracts/places.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { MapMarker } from '#web/map/pins/map-marker.tsx'
import { useView } from '#web/map/pins/use-view.ts'
import { usePaint } from '#web/map/shapes/use-paint.ts'
import { PlaceIcon } from '#web/places/place-icon.tsx'
import { labelBox, labelRise, removeOverlaps } from './place-labels.ts'
import classes from './places-layer.module.css'

/** Below this zoom the names would cover the trackers. */
const NAMES_ZOOM = 13

/** Circles of the places under the trackers, each labelled where there is room. */
export function PlacesLayer({ places }: { places: readonly Place[] }) {
  const { map } = useMapStage()
  const { zoom, box } = useView(map)
  useCircles(places)
  const labels = useMemo(() => placeLabels(map, zoom, places), [map, zoom, places])
  return labels
    .filter(({ place: { lat, lng } }) => lat > box.south && lat < box.north && lng > box.west && lng < box.east)
    .map(({ place, rise }) => (
      <MapMarker key={place.id} at={place} rise={-1000}>
        <Link
          to={`/places/${encodeURIComponent(place.id)}`}
          className={classes.label ?? ''}
          style={{ '--rise': `${rise}px` } as CSSProperties}
        >
          <PlaceIcon type={place.type} size={14} />
          {place.name}
        </Link>
      </MapMarker>
    ))
}

/** Computed for the whole map at this zoom, so that no label appears or disappears while panning. */
function placeLabels(map: L.Map, zoom: number, places: readonly Place[]) {
  if (zoom < NAMES_ZOOM) return []
  return removeOverlaps(
    places.map((place) => {
      const rise = labelRise(place, zoom)
      return { place, rise, box: labelBox(map.project([place.lat, place.lng], zoom).subtract([0, rise]), place.name) }
    }),
  )
}

function useCircles(places: readonly Place[]) {
  const { map } = useMapStage()
  const { paint, renderer } = usePaint(map)
  useEffect(() => {
    const look = { renderer, color: paint('--accent'), weight: 1.5, opacity: 0.7, fillOpacity: 0.1, interactive: false }
    const circles = places.map(({ lat, lng, radius }) => L.circle([lat, lng], { ...look, radius }))
    const group = L.layerGroup(circles).addTo(map)
    for (const circle of circles) circle.bringToBack()
    return () => void group.remove()
  }, [map, renderer, paint, places])
}
