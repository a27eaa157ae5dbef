import L from 'leaflet'
import { useEffect } from 'react'
import type { Track } from '#web/history/track/track.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { usePaint } from '#web/map/use-paint.ts'

/** Marks the start (ring), the end (full disc) and the stops between (small rings). */
export function Landmarks({ track }: { track: Track }) {
  const { map } = useMapStage()
  const { paint, renderer } = usePaint(map)
  useEffect(() => {
    const [ink, paper] = [paint('--text'), paint('--bg')]
    const mark = (index: number, look: L.CircleMarkerOptions) => {
      const fix = track.fixes[index]
      return fix ? [L.circleMarker([fix.lat, fix.lng], { renderer, interactive: false, fillOpacity: 1, ...look })] : []
    }
    const stops = track.legs.filter(({ kind }) => kind === 'stop')
    const group = L.layerGroup([
      ...stops.flatMap(({ first }) => mark(first, { radius: 4, weight: 2, color: ink, fillColor: paper })),
      ...mark(track.fixes.length - 1, { radius: 7, weight: 3, color: paper, fillColor: ink }),
      ...mark(0, { radius: 7, weight: 3, color: ink, fillColor: paper }),
    ]).addTo(map)
    return () => void group.remove()
  }, [map, renderer, paint, track])
  return null
}
