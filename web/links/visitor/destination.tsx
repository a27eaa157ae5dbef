import { useTranslation } from 'react-i18next'
import type { SharedTracker, ShownTracker } from '#contracts/links.ts'
import { isFreshForArrival, metersToPlace } from '#contracts/rules/tracking/arrival.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { MapMarker } from '#web/map/pins/map-marker.tsx'
import { PlaceBorder } from '#web/map/shapes/place-border.tsx'
import { PlaceMark } from '#web/places/place-pin.tsx'

type Destination = SharedTracker['destination']

/** When a tracker reaches the destination of its link, and its straight-line distance; undefined while that is unclear. */
export function useArrival({ arrives_at, last_position: at }: Pick<ShownTracker, 'arrives_at' | 'last_position'>, to: Destination) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  if (!to || !arrives_at || !at || !isFreshForArrival(at.datetime, now)) return undefined
  return `${t('shared.arrives', { time: formats.time(arrives_at) })} · ${formats.distance(metersToPlace(at, to))}`
}

export function DestinationOnMap({ to }: { to: NonNullable<Destination> }) {
  const { t } = useTranslation()
  return (
    <>
      <PlaceBorder place={to} />
      <MapMarker at={to}>
        <PlaceMark name={to.name} label={t('shared.destination', { name: to.name })} />
      </MapMarker>
    </>
  )
}
