import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Place } from '#contracts/places.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { Bone } from '#web/ui/skeleton.tsx'
import { DeletePlace } from './delete-place.tsx'
import { PlaceLine } from './place-line.tsx'
import classes from './places.module.css'

const PlacesMap = lazy(() => import('./places-map.tsx'))

export function Overview({ places, mayChange }: { places: readonly Place[]; mayChange: boolean }) {
  const { t } = useTranslation()
  const devices = useQuery(devicesQuery()).data ?? []
  const [chosen, setChosen] = useState<number | null>(null)
  const [removing, setRemoving] = useState<Place | null>(null)
  return (
    <div className={classes.overview}>
      <ul className={classes.list} aria-label={t('title.places')}>
        {places.map((place) => (
          <PlaceLine
            key={place.id}
            place={place}
            devices={devices.filter(({ id }) => place.devices.includes(id))}
            isChosen={place.id === chosen}
            onChoose={() => setChosen(place.id)}
            {...(mayChange && { onRemove: () => setRemoving(place) })}
          />
        ))}
      </ul>
      <div className={classes.map}>
        <Suspense fallback={<Bone width="100%" height="100%" />}>
          <PlacesMap places={places} chosen={places.find(({ id }) => id === chosen)} onChoose={setChosen} />
        </Suspense>
      </div>
      {removing && <DeletePlace place={removing} onClose={() => setRemoving(null)} />}
    </div>
  )
}
