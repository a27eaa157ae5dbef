import { useSuspenseQueries } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { lazy } from '#web/lib/chunk.ts'
import { boxCorners } from '#web/map/shapes/circles.tsx'
import { placesQuery } from '#web/places/places.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonBlock } from '#web/ui/feedback/skeleton.tsx'
import classes from './place-form.module.css'

const NOWHERE: readonly LatLng[] = []

const SpotMap = lazy(() => import('./spot-map.tsx'))

type Props = {
  spot: LatLng | null
  radius: number
  isPut: boolean
  isNew: boolean
  /** Whether the typed address differs from the saved one, which will move the place. */
  isLeaving: boolean
  isDisabled: boolean
  onPut: (spot: LatLng | null) => void
  onResize: (radius: number) => void
}

export function SpotField({ spot, radius, isPut, isNew, isLeaving, isDisabled, onPut, onResize }: Props) {
  const { t } = useTranslation()
  const map = { spot, radius, isDisabled, onPut, onResize }
  return (
    <>
      <div className={classes.map}>
        <Part skeleton={<SkeletonBlock width="100%" height="100%" />} frame={() => <Start {...map} around={NOWHERE} />}>
          <Surrounded {...map} />
        </Part>
      </div>
      {isPut && (
        <p className={classes.put} role="status">
          {t('places.spotChosen')}
          <button type="button" onClick={() => onPut(null)}>
            {isNew ? t('places.byAddress') : t('action.undo')}
          </button>
        </p>
      )}
      {!isPut && isLeaving && (
        <p className={classes.note} role="status">
          {t('places.spotMoves')}
        </p>
      )}
      {!isDisabled && <p className={classes.note}>{spot ? t('places.dragHint') : t('places.spotByAddress')}</p>}
    </>
  )
}

type MapProps = Omit<ComponentProps<typeof SpotMap>, 'start'>

/** An empty map opens around the trackers, or else the places; when they fail to load, it shows the world. */
function Surrounded(map: MapProps) {
  const [devices, places] = useSuspenseQueries({ queries: [devicesQuery(), placesQuery()] })
  const trackers = devices.data.flatMap(({ tracker_status }) => tracker_status.last_position ?? [])
  return <Start {...map} around={trackers.length > 0 ? trackers : places.data.flatMap(boxCorners)} />
}

const Start = ({ around, ...map }: MapProps & { around: readonly LatLng[] }) => (
  <SpotMap {...map} start={map.spot ? boxCorners({ lat: map.spot.lat, lng: map.spot.lng, radius: map.radius }) : around} />
)
