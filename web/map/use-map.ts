import L from 'leaflet'
import { useCallback, useState } from 'react'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { initialView, prefersReducedMotion } from './camera.ts'
import type { View } from './keep-view.ts'

const WORLD: L.LatLngBoundsExpression = [
  [-85, -300],
  [85, 300],
]

/**
 * Creates one Leaflet map per element and removes it with the element. The initial view is `kept`, or contains `points`; later ones are set
 * by the camera.
 */
export function useMap(points: readonly LatLng[], maxZoom: number, kept: View | null) {
  const [map, setMap] = useState<L.Map | null>(null)
  const [first] = useState(() => kept ?? initialView(points))
  const container = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return
      const controls = { zoomControl: false, attributionControl: false }
      const motion = { fadeAnimation: !prefersReducedMotion(), zoomAnimation: !prefersReducedMotion() }
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
