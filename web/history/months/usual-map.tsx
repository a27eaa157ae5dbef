import L from 'leaflet'
import { useEffect, useMemo } from 'react'
import type { Normal } from '#contracts/trackers/normal.ts'
import { placeOn } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { MapView } from '#web/map/map-view.tsx'
import { boxCorners } from '#web/map/shapes/circles.tsx'
import { PlaceBorder, shapeOn } from '#web/map/shapes/place-border.tsx'
import { usePaint } from '#web/map/shapes/use-paint.ts'
import classes from './usual.module.css'

/** Metres from the middle of a square to its side. */
const HALF_CELL = 55

/** The squares, ways and places of a tracker. */
export default function UsualMap({ usual: { places, ways, cells }, label }: { usual: Normal; label: string }) {
  const points = useMemo(
    () => (cells.length > 0 ? cells.map(([lat, lng]) => ({ lat, lng })) : places.flatMap((place) => boxCorners(place))),
    [cells, places],
  )
  return (
    <section className={classes.map} aria-label={label}>
      <MapView points={points}>
        <Squares cells={cells} ways={ways} />
        {places.map((place) => (
          <PlaceBorder key={`${place.lat} ${place.lng}`} place={place} isStrong />
        ))}
      </MapView>
    </section>
  )
}

function Squares({ cells, ways }: Pick<Normal, 'cells' | 'ways'>) {
  const { map } = useMapStage()
  const { paint, renderer } = usePaint(map)
  useEffect(() => {
    const color = paint('--accent')
    const squares = cells.map(([lat, lng]) => {
      const corners = boxCorners({ lat, lng, radius: HALF_CELL }).map((corner) => placeOn(map, corner))
      return L.rectangle(L.latLngBounds(corners), { renderer, interactive: false, stroke: false, color, fillOpacity: 0.22 })
    })
    const lines = ways.map(({ points }) =>
      L.polyline(
        shapeOn(
          map,
          points.map(({ lat, lng }) => [lat, lng]),
        ),
        { renderer, interactive: false, color, weight: 3, opacity: 0.8 },
      ),
    )
    const group = L.layerGroup([...squares, ...lines]).addTo(map)
    return () => void group.remove()
  }, [map, renderer, paint, cells, ways])
  return null
}
