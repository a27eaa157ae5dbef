import L from 'leaflet'
import { useCallback, useState } from 'react'
import type { LatLng } from '#contracts/rules/geo.ts'
import { isCalm, startView } from './camera.ts'

const WORLD: L.LatLngBoundsExpression = [
  [-85, -300],
  [85, 300],
]

/**
 * One Leaflet map for one element: made when the element appears, removed with it. The first view holds `points`; later
 * ones are moved there by the camera.
 */
export function useMap(points: readonly LatLng[], maxZoom: number) {
  const [map, setMap] = useState<L.Map | null>(null)
  const [first] = useState(() => startView(points))
  const container = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return
      const controls = { zoomControl: false, attributionControl: false }
      const motion = { fadeAnimation: !isCalm(), zoomAnimation: !isCalm() }
      const made = L.map(element, { ...controls, ...motion, maxZoom, minZoom: 2, maxBounds: WORLD, ...first })
      const resized = new ResizeObserver(() => made.invalidateSize({ pan: false }))
      resized.observe(element)
      setMap(made)
      return () => {
        resized.disconnect()
        setMap(null)
        made.stop().remove()
      }
    },
    [first, maxZoom],
  )
  return { map, container }
}
