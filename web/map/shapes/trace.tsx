import L from 'leaflet'
import { useEffect } from 'react'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { type Run, speedRuns } from './speed-runs.ts'
import { usePaint } from './use-paint.ts'

type Props = {
  points: readonly LatLng[]
  /** Colours the trace by speed: km/h at each point, and the speed that gets the last colour. */
  speed?: { kmh: readonly number[]; top: number } | undefined
  token?: `--${string}`
  weight?: number
}

/** A track on the map, with a light edge for contrast on any street. Memoize `points` and `speed` with useMemo. */
export function Trace({ points, speed, token = '--accent', weight = 4 }: Props) {
  const { map } = useMapStage()
  const { paint, renderer } = usePaint(map)
  useEffect(() => {
    if (points.length < 2) return
    const runs: Run[] = speed ? speedRuns(points, speed.kmh, speed.top) : [{ colour: paint(token), points: [...points] }]
    const look = { renderer, interactive: false, smoothFactor: 1.5, lineJoin: 'round', lineCap: 'round' } as const
    const edge = L.polyline(pathOf(points), { ...look, color: paint('--bg'), weight: weight + 4, opacity: 0.85 })
    const lines = runs.map((run) => L.polyline(pathOf(run.points), { ...look, color: run.colour, weight }))
    const group = L.layerGroup([edge, ...lines]).addTo(map)
    return () => void group.remove()
  }, [map, renderer, paint, points, speed, token, weight])
  return null
}

const pathOf = (points: readonly LatLng[]) => points.map(({ lat, lng }): [number, number] => [lat, lng])
