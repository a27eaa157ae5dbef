import { useEffect } from 'react'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { showAll } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'

/** Brings `points` into view when they change; memoize them with useMemo. */
export function CameraOn({ points }: { points: readonly LatLng[] }) {
  const { map, padding } = useMapStage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what floats may change its size without moving the map
  useEffect(() => showAll(map, points, padding), [map, points])
  return null
}
