import type { Position } from '#contracts/devices.ts'
import type { Kind } from '#contracts/lib/constants.ts'
import { MapView } from '#web/map/map-view.tsx'
import { MapMarker } from '#web/map/pins/map-marker.tsx'
import { Pin } from '#web/map/pins/pin.tsx'
import { AccuracyCircle } from '#web/map/shapes/circles.tsx'
import { MapTools } from '#web/map/tools/map-tools.tsx'

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
