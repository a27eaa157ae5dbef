import { useMemo } from 'react'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { Geofence } from '#contracts/rules/geo/place.ts'
import { MapView } from '#web/map/map-view.tsx'
import { MapMarker } from '#web/map/pins/map-marker.tsx'
import { AreaCircle, boxCorners } from '#web/map/shapes/circles.tsx'
import { borderCorners, PlaceBorder } from '#web/map/shapes/place-border.tsx'
import classes from './inbox.module.css'

/** Where an alert fired, with the border of its place. */
export default function FiringMap({ at, place }: { at: LatLng & { radius: number }; place: Geofence | undefined }) {
  const points = useMemo(() => [...boxCorners(at), ...(place ? borderCorners(place) : [])], [at, place])
  return (
    <MapView points={points}>
      {place && <PlaceBorder place={place} isStrong />}
      <AreaCircle at={at} radius={at.radius} />
      <MapMarker at={at}>
        <span className={classes.point} aria-hidden="true" />
      </MapMarker>
    </MapView>
  )
}
