import { IconCurrentLocation } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { Kind } from '#contracts/rules/tracking/tracker.ts'
import { flyTo, NO_PADDING } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { MapView } from '#web/map/map-view.tsx'
import { MapMarker } from '#web/map/pins/map-marker.tsx'
import { MapTools } from '#web/map/tools/map-tools.tsx'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import classes from './first-minute.module.css'
import { COUNTRY_ZOOM, TOWN_ZOOM, zonePlace } from './zone-place.ts'

/** The map beside the steps: the region of the user's time zone, or on request their town. */
export function StartMap({ kind }: { kind: Kind }) {
  const [home] = useState(zonePlace)
  return (
    <div className={classes.map}>
      <MapView points={[]} kept={home && { center: [home.lat, home.lng], zoom: COUNTRY_ZOOM }}>
        <Here kind={kind} home={home} />
        <MapTools points={[]} />
      </MapView>
    </div>
  )
}

function Here({ kind, home }: { kind: Kind; home: LatLng | null }) {
  const { t } = useTranslation()
  const { map } = useMapStage()
  const [town, setTown] = useState<LatLng | null>(null)
  const [isRefused, setRefused] = useState(false)
  useEffect(() => {
    if (town) flyTo(map, town, NO_PADDING, TOWN_ZOOM)
  }, [map, town])
  const find = () =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => setTown({ lat: coords.latitude, lng: coords.longitude }),
      () => setRefused(true),
      { maximumAge: 600_000, timeout: 30_000 },
    )
  const at = town ?? home
  return (
    <>
      {at && (
        <MapMarker at={at}>
          <span className={classes.here}>
            <small>{t('start.here')}</small>
            <KindDisc of={{ kind }} size={48} />
          </span>
        </MapMarker>
      )}
      {'geolocation' in navigator && !town && (
        <button type="button" className={classes.town} onClick={find} disabled={isRefused}>
          <IconCurrentLocation size={18} aria-hidden="true" />
          {isRefused ? t('start.townRefused') : t('start.town')}
        </button>
      )}
    </>
  )
}
