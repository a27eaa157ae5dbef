import { useEffect, useRef } from 'react'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { isInView, keepInView } from './camera.ts'
import { useMapStage } from './map-context.ts'

/** Brings the point back into view when a resized window has taken it out. */
export function useHeldInView(at: LatLng | null | undefined) {
  const { map, padding } = useMapStage()
  const last = useRef({ size: map.getSize(), isInView: false })
  useEffect(() => {
    if (!at) return
    const look = () => {
      const size = map.getSize()
      const isResized = !size.equals(last.current.size)
      if (isResized && last.current.isInView && !isInView(map, at, padding)) keepInView(map, at, padding, { animate: false })
      last.current = { size, isInView: isInView(map, at, padding) }
    }
    look()
    map.on('moveend', look)
    return () => void map.off('moveend', look)
  }, [map, padding, at])
}
