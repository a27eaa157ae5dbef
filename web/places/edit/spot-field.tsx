import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { boxCorners } from '#web/map/shapes/circle-points.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { Bone } from '#web/ui/feedback/skeleton.tsx'
import classes from './place-form.module.css'

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
  const around = useSurroundings()
  const start = spot ? boxCorners({ lat: spot.lat, lng: spot.lng, radius }) : around
  return (
    <>
      <div className={classes.map}>
        <Suspense fallback={<Bone width="100%" height="100%" />}>
          {start ? (
            <SpotMap start={start} spot={spot} radius={radius} isDisabled={isDisabled} onPut={onPut} onResize={onResize} />
          ) : (
            <Bone width="100%" height="100%" />
          )}
        </Suspense>
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

/** Points around which an empty map opens: trackers, or else places. Undefined while loading. */
function useSurroundings() {
  const devices = useQuery(devicesQuery())
  const places = useQuery(placesQuery())
  if (devices.isPending || places.isPending) return undefined
  const trackers = (devices.data ?? []).flatMap(({ tracker_status }) => tracker_status.last_position ?? [])
  return trackers.length > 0 ? trackers : (places.data ?? []).flatMap(boxCorners)
}
