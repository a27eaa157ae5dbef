import type { Position } from '#contracts/devices.ts'
import type { Kind } from '#contracts/lib/constants.ts'
import { AccuracyCircle } from '#web/map/circles.tsx'
import { MapMarker } from '#web/map/map-marker.tsx'
import { MapTools } from '#web/map/map-tools.tsx'
import { MapView } from '#web/map/map-view.tsx'
import { Pin } from '#web/map/pin.tsx'

export default function PositionMap({ kind, name, at }: { kind: Kind; name: string; at: Position }) {
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
