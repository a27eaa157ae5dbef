import L from 'leaflet'
import { useEffect } from 'react'
import type { Kind } from '#contracts/constants.ts'
import type { LatLng } from '#contracts/rules/geo.ts'
import { useStage } from './map-context.ts'
import { usePaint } from './use-paint.ts'

/** How far from its pin the tracker may really be, `radius` in metres. */
export function AccuracyCircle({ at, radius, kind }: { at: LatLng; radius: number; kind: Kind }) {
  const { map } = useStage()
  const { paint, renderer } = usePaint(map)
  const { lat, lng } = at
  useEffect(() => {
    const color = paint(`--kind-${kind}`)
    const circle = L.circle([lat, lng], { renderer, radius, color, weight: 1.5, opacity: 0.5, fillOpacity: 0.16, interactive: false })
    circle.addTo(map)
    return () => void circle.remove()
  }, [map, renderer, paint, lat, lng, radius, kind])
  return null
}
