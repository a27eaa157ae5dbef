import type { Position } from '#contracts/trackers/devices.ts'
import { MapView } from '#web/map/map-view.tsx'
import { MapMarker } from '#web/map/pins/map-marker.tsx'
import { Pin } from '#web/map/pins/pin.tsx'
import { AccuracyCircle } from '#web/map/shapes/circles.tsx'
import { MapTools } from '#web/map/tools/map-tools.tsx'
import type { Face } from '#web/trackers/parts/kind-icon.tsx'

export default function PositionMap({ of, name, at }: { of: Face; name: string; at: Position }) {
  return (
    <MapView points={[at]}>
      <AccuracyCircle at={at} radius={at.precision} kind={of.kind} />
      <MapMarker at={at}>
        <Pin of={of} label={name} group="lost" isSelected />
      </MapMarker>
      <MapTools points={[at]} />
    </MapView>
  )
}
