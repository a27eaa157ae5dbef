import { useMemo } from 'react'
import type { SharedTracker } from '#contracts/links.ts'
import { AccuracyCircle } from '#web/lib/map/accuracy-circle.tsx'
import { NO_PADDING } from '#web/lib/map/camera.ts'
import { MapMarker } from '#web/lib/map/map-marker.tsx'
import { MapTools } from '#web/lib/map/map-tools.tsx'
import { MapView } from '#web/lib/map/map-view.tsx'
import { Pin } from '#web/lib/map/pin.tsx'
import { Trace } from '#web/lib/map/trace.tsx'

/** What the card at the top covers. */
const PADDING = { ...NO_PADDING, top: 130 }

/** The points a link shows, the newest as a pin. */
export function SharedMap({ shared: { tracker, positions, last_position: at } }: { shared: SharedTracker }) {
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
