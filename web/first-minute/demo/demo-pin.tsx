import L from 'leaflet'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { placeOn, showAll } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { MapMarker } from '#web/map/pins/map-marker.tsx'
import { Pin } from '#web/map/pins/pin.tsx'
import { usePaint } from '#web/map/shapes/use-paint.ts'
import { type Demo, demoHeading, demoPosition, demoTrail } from './demo-tracker.ts'

/** The demo dog on the map, named as such, with its way of the last minutes. */
export function DemoPin({ demo, now, moves }: { demo: Demo; now: number; moves: boolean }) {
  const { t } = useTranslation()
  const { map, padding } = useMapStage()
  const { paint, renderer } = usePaint(map)
  const trail = useRef<L.Polyline>(null)
  const at = demoPosition(demo, now)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first view; afterwards the person decides
  useEffect(() => {
    if (moves) showAll(map, [at], padding, { animate: false })
  }, [map, demo.since])
  useEffect(() => {
    const line = L.polyline([], { renderer, color: paint('--kind-dog'), weight: 3, dashArray: '8 8', interactive: false }).addTo(map)
    trail.current = line
    return () => void line.remove()
  }, [map, paint, renderer])
  useEffect(() => {
    trail.current?.setLatLngs(demoTrail(demo, now).map((point) => placeOn(map, point)))
  }, [map, demo, now])
  return (
    <MapMarker at={at}>
      <Pin
        of={{ kind: 'dog' }}
        label={t('start.demo.name')}
        group="moving"
        isMoving
        heading={demoHeading(demo, now)}
        caption={t('start.demo.name')}
        onClick={() => showAll(map, [at], padding)}
      />
    </MapMarker>
  )
}
