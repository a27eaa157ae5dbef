import L from 'leaflet'
import { useEffect } from 'react'
import { useMapStage } from '#web/map/map-context.ts'
import { usePaint } from '#web/map/shapes/use-paint.ts'
import type { Doubt } from './doubts.ts'

/** Hollow grey circles where the tracker probably was not; those of the chosen row are larger. */
export function WrongMarkers({ doubts, chosen }: { doubts: readonly Doubt[]; chosen: Doubt | null }) {
  const { map } = useMapStage()
  const { paint, renderer } = usePaint(map)
  useEffect(() => {
    const [grey, paper] = [paint('--text-2'), paint('--bg')]
    const marks = doubts.flatMap((doubt) =>
      doubt.points.map(({ lat, lng }) => {
        const size = doubt === chosen ? { radius: 8, weight: 3 } : { radius: 5, weight: 2 }
        return L.circleMarker([lat, lng], { renderer, interactive: false, color: grey, fillColor: paper, fillOpacity: 0.35, ...size })
      }),
    )
    const group = L.layerGroup(marks).addTo(map)
    return () => void group.remove()
  }, [map, renderer, paint, doubts, chosen])
  return null
}
