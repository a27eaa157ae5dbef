import { useMemo } from 'react'
import type { SharedTracker } from '#contracts/links.ts'
import { NO_PADDING } from '#web/map/camera.ts'
import { AccuracyCircle } from '#web/map/circles.tsx'
import { MapMarker } from '#web/map/map-marker.tsx'
import { MapTools } from '#web/map/map-tools.tsx'
import { MapView } from '#web/map/map-view.tsx'
import { Pin } from '#web/map/pin.tsx'
import { Trace } from '#web/map/trace.tsx'

/** Height of the card at the top, in pixels. */
const PADDING = { ...NO_PADDING, top: 130 }

export function PublicLinkMap({ shared: { tracker, positions, last_position: at } }: { shared: SharedTracker }) {
  const points = useMemo(() => (positions.length > 0 ? positions : at ? [at] : []), [positions, at])
  return (
    <MapView points={points} padding={PADDING}>
      <Trace points={points} token={`--kind-${tracker.kind}`} />
      {at && (
        <>
          <AccuracyCircle at={at} radius={at.precision} kind={tracker.kind} />
          <MapMarker at={at}>
            <Pin kind={tracker.kind} label={tracker.name} isSelected />
          </MapMarker>
        </>
      )}
      <MapTools points={points} />
    </MapView>
  )
}
