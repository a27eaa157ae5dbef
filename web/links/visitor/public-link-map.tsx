import { useMemo } from 'react'
import type { SharedTracker } from '#contracts/links.ts'
import { NO_PADDING } from '#web/map/camera.ts'
import { MapView } from '#web/map/map-view.tsx'
import { MapMarker } from '#web/map/pins/map-marker.tsx'
import { Pin } from '#web/map/pins/pin.tsx'
import { boxCorners } from '#web/map/shapes/circle-points.ts'
import { AccuracyCircle } from '#web/map/shapes/circles.tsx'
import { toPath } from '#web/map/shapes/path.ts'
import { Trace } from '#web/map/shapes/trace.tsx'
import { MapTools } from '#web/map/tools/map-tools.tsx'
import { useMapLayout } from '#web/map/use-map-layout.ts'
import { dropWrong } from '#web/trackers/trace/wrong-positions.ts'
import { DestinationOnMap } from './destination.tsx'

/** What the card at the top covers, in pixels; it has two more lines with a destination. The map of a low window begins beside it. */
const PADDING = { without: { ...NO_PADDING, top: 130 }, with: { ...NO_PADDING, top: 180 }, low: { ...NO_PADDING, left: 320 } }

export function PublicLinkMap({ shared: { tracker, positions, last_position: at, destination: to } }: { shared: SharedTracker }) {
  const isLow = useMapLayout() === 'low'
  const points = useMemo(() => {
    const good = dropWrong(positions)
    return good.length > 0 ? good : at ? [at] : []
  }, [positions, at])
  const shown = useMemo(() => (to ? [...points, ...boxCorners(to)] : points), [points, to])
  const path = useMemo(() => toPath(points), [points])
  return (
    <MapView points={shown} padding={isLow ? PADDING.low : to ? PADDING.with : PADDING.without}>
      <Trace path={path} token={`--kind-${tracker.kind}`} />
      {to && <DestinationOnMap to={to} />}
      {at && (
        <>
          <AccuracyCircle at={at} radius={at.precision} kind={tracker.kind} />
          <MapMarker at={at}>
            <Pin of={tracker} label={tracker.name} isSelected />
          </MapMarker>
        </>
      )}
      <MapTools points={shown} />
    </MapView>
  )
}
