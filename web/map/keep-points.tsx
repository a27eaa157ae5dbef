import { useEffect, useRef } from 'react'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { isInView, showAll } from './camera.ts'
import { useMapStage } from './map-context.ts'

/**
 * Shows `shown` again when points that were in view no longer are, because the window was resized or turned, or what covers the map changed.
 * A map that was moved away from them stays where it is.
 */
export function KeepPoints({ points, shown }: { points: readonly LatLng[]; shown: readonly LatLng[] }) {
  const { map, padding } = useMapStage()
  const wasInView = useRef(true)
  useEffect(() => {
    let size = map.getSize()
    const areInView = () => points.every((point) => isInView(map, point, padding))
    const show = () => {
      if (wasInView.current && !areInView()) showAll(map, shown, padding, { animate: false })
    }
    const look = () => {
      const next = map.getSize()
      // A resized map reports a move first.
      if (!next.equals(size)) {
        size = next
        show()
      }
      wasInView.current = areInView()
    }
    show()
    map.on('moveend resize', look)
    return () => void map.off('moveend resize', look)
  }, [map, padding, points, shown])
  return null
}
