import { useMemo } from 'react'
import type { DryRun } from '#contracts/alerts.ts'
import type { Geofence } from '#contracts/rules/geo/place.ts'
import { MapView } from '#web/map/map-view.tsx'
import { MapMarker } from '#web/map/pins/map-marker.tsx'
import { borderCorners, PlaceBorder } from '#web/map/shapes/place-border.tsx'
import classes from './dry-run.module.css'

/** More dots hide each other. */
const MAX_DOTS = 200

/** Where an alert would have fired, with the border that it watches. */
export default function DryRunMap({ firings: all, place }: Pick<DryRun, 'firings'> & { place: Geofence | undefined }) {
  const firings = all.slice(-MAX_DOTS)
  // The camera moves with the border, but not with each dot of a new run.
  const points = useMemo(() => (place ? borderCorners(place) : all.slice(-MAX_DOTS)), [place, all])
  return (
    <div className={classes.map}>
      <MapView points={points}>
        {place && <PlaceBorder place={place} isStrong />}
        {firings.map((firing) => (
          <MapMarker key={`${firing.device} ${firing.at} ${firing.kind}`} at={firing}>
            <span className={classes.spot} data-firing aria-hidden="true" />
          </MapMarker>
        ))}
      </MapView>
    </div>
  )
}
