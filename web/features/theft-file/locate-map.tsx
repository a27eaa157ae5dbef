import type { Kind } from '#contracts/constants.ts'
import type { Position } from '#contracts/devices.ts'
import { AccuracyCircle } from '#web/lib/map/accuracy-circle.tsx'
import { MapMarker } from '#web/lib/map/map-marker.tsx'
import { MapTools } from '#web/lib/map/map-tools.tsx'
import { MapView } from '#web/lib/map/map-view.tsx'
import { Pin } from '#web/lib/map/pin.tsx'

/** One tracker on a small map. */
export default function LocateMap({ kind, name, at }: { kind: Kind; name: string; at: Position }) {
  return (
    <MapView points={[at]}>
      <AccuracyCircle at={at} radius={at.precision} kind={kind} />
      <MapMarker at={at}>
        <Pin kind={kind} label={name} isSelected />
      </MapMarker>
      <MapTools points={[at]} />
    </MapView>
  )
}
