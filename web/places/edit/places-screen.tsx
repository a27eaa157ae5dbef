import { Button } from '@mantine/core'
import { IconFileImport, IconMapPinPlus, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient, useSuspenseQueries } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import type { Place } from '#contracts/places.ts'
import { TRIGGERS } from '#contracts/rules/geo/place.ts'
import { alertKeys, alertsQuery } from '#web/alerts/alerts.queries.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { placesApi, placesQuery } from '#web/places/places.queries.ts'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonBlock } from '#web/ui/feedback/skeleton.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { PlaceLine } from './place-line.tsx'
import classes from './places.module.css'

export default function PlacesScreen() {
  const { t } = useTranslation()
  const count = useQuery({ ...placesQuery(), enabled: false }).data?.length
  const actions = useHasRight('changePlaces') && <Actions />
  return (
    <Page title={t('title.places')} lead={t('places.lead')} {...(count && { count, actions })}>
      <Part>
        <Places actions={actions} />
      </Part>
    </Page>
  )
}

function Places({ actions }: { actions: ReactNode }) {
  const { t } = useTranslation()
  const [{ data: places }] = useSuspenseQueries({ queries: [placesQuery(), sessionQuery()] })
  const mayChange = useHasRight('changePlaces')
  if (places.length > 0) return <PlacesOverview places={places} mayChange={mayChange} />
  return (
    <Empty icon={<IconMapPinPlus size={30} />} title={t('places.none')} action={actions}>
      {t('places.noneLead')}
    </Empty>
  )
}

function Actions() {
  const { t } = useTranslation()
  const canImport = useFeature('placeImport')
  return (
    <>
      <Button component={Link} to="/places/new" h={44} leftSection={<IconPlus size={18} />}>
        {t('title.placeNew')}
      </Button>
      {canImport && (
        <Button component={Link} to="/places/import" variant="default" h={44} leftSection={<IconFileImport size={18} />}>
          {t('title.placeImport')}
        </Button>
      )}
    </>
  )
}

const PlacesMap = lazy(() => import('./places-map.tsx'))

function PlacesOverview({ places, mayChange }: { places: readonly Place[]; mayChange: boolean }) {
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
        <Suspense fallback={<SkeletonBlock width="100%" height="100%" />}>
          <PlacesMap places={places} chosen={places.find(({ id }) => id === chosen)} onChoose={setChosen} />
        </Suspense>
      </div>
      {removing && <DeletePlaceDialog place={removing} onClose={() => setRemoving(null)} />}
    </div>
  )
}

/** Confirms the deletion and lists the alerts that the server deletes with the place. */
function DeletePlaceDialog({ place: { id, name }, onClose }: { place: Place; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const remove = async () => {
    await placesApi.remove({ params: { id } }).catch(ignoreGone)
    queries.setQueryData(placesQuery().queryKey, (places) => places?.filter((place) => place.id !== id))
    await queries.invalidateQueries({ queryKey: alertKeys.all })
    showToast(t('places.deleted'))
  }
  return (
    <ConfirmDialog title={t('places.deleteTitle', { name })} action={t('action.delete')} isDanger onConfirm={remove} onClose={onClose}>
      <p>{t('places.deleteLead')}</p>
      <PlaceAlerts place={id} />
    </ConfirmDialog>
  )
}

function PlaceAlerts({ place }: { place: number }) {
  const { t } = useTranslation()
  const { data } = useQuery({ ...alertsQuery(), select: (alerts) => alerts.filter((alert) => alert.place === place) })
  // A general warning while the alerts are loading or cannot be loaded.
  if (!data) return <p>{t('places.deleteAnyAlerts')}</p>
  if (data.length === 0) return null
  return (
    <>
      <p>{t('places.deleteAlerts', { count: data.length })}</p>
      <ul className={classes.alerts}>
        {data.map(({ id, name, trigger }) => (
          <li key={id}>{name || t(`places.alert.${pickListed(TRIGGERS, trigger ?? '', 'vehicle')}`)}</li>
        ))}
      </ul>
    </>
  )
}
