import { Button } from '@mantine/core'
import { IconDownload, IconFileImport, IconMapPinPlus, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient, useSuspenseQueries } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useMatch, useNavigate } from 'react-router-dom'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import type { Place } from '#contracts/places.ts'
import { TRIGGERS } from '#contracts/rules/geo/place.ts'
import { formatPlaceCsv } from '#contracts/rules/geo/place-csv.ts'
import { alertKeys, alertsQuery } from '#web/alerts/alerts.queries.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { saveFile } from '#web/lib/api/download.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { placesApi, placesQuery, usePlaces } from '#web/places/places.queries.ts'
import { SuggestedPlaces } from '#web/places/suggested-places.tsx'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonBlock } from '#web/ui/feedback/skeleton.tsx'
import { Split } from '#web/ui/lists/split.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { PlaceLine } from './place-line.tsx'
import classes from './places.module.css'

/** The places beside their map or, on a wide window, the chosen place in its stead. */
export function PlacesPage({ details }: { details?: ReactNode }) {
  const { t } = useTranslation()
  const count = useQuery({ ...placesQuery(), enabled: false }).data?.length
  const actions = useHasRight('changePlaces') && <Actions />
  return (
    <Page title={t('title.places')} lead={t('places.lead')} {...(count && { count, actions })}>
      <Part>
        <Places actions={actions} details={details} />
      </Part>
    </Page>
  )
}

function Places({ actions, details }: { actions: ReactNode; details: ReactNode }) {
  const { t } = useTranslation()
  const [{ data: places }] = useSuspenseQueries({ queries: [placesQuery(), sessionQuery()] })
  const mayChange = useHasRight('changePlaces')
  if (places.length > 0 || details) return <PlacesOverview places={places} mayChange={mayChange} details={details} />
  return (
    <>
      <Empty icon={<IconMapPinPlus size={30} />} title={t('places.none')} action={actions}>
        {t('places.noneLead')}
      </Empty>
      <SuggestedPlaces places={places} />
    </>
  )
}

function Actions() {
  const { t } = useTranslation()
  const canImport = useFeature('placeImport')
  const places = usePlaces()
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
      {places.length > 0 && (
        <Button
          variant="default"
          h={44}
          leftSection={<IconDownload size={18} />}
          onClick={() => saveFile(new TextEncoder().encode(formatPlaceCsv(places)), 'places.csv', 'text/csv;charset=utf-8')}
        >
          {t('places.export')}
        </Button>
      )}
    </>
  )
}

const PlacesMap = lazy(() => import('./places-map.tsx'))

type OverviewProps = { places: readonly Place[]; mayChange: boolean; details: ReactNode }

function PlacesOverview({ places, mayChange, details }: OverviewProps) {
  const { t } = useTranslation()
  const devices = useQuery(devicesQuery()).data ?? []
  const [chosen, setChosen] = useState<number | null>(null)
  const [removing, setRemoving] = useState<Place | null>(null)
  const navigate = useNavigate()
  const opened = useMatch('/places/:id')?.params.id
  const list = (
    <>
      <ul className={classes.list} aria-label={t('title.places')}>
        {places.map((place) => (
          <PlaceLine
            key={place.id}
            place={place}
            devices={devices.filter(({ id }) => place.devices.includes(id))}
            isChosen={details ? String(place.id) === opened : place.id === chosen}
            onChoose={() => (details ? void navigate(`/places/${encodeURIComponent(place.id)}`) : setChosen(place.id))}
            {...(mayChange && { onRemove: () => setRemoving(place) })}
          />
        ))}
      </ul>
      {removing && <DeletePlaceDialog place={removing} onClose={() => setRemoving(null)} />}
    </>
  )
  if (details) return <Split details={details}>{list}</Split>
  return (
    <div className={classes.overview}>
      <div>
        <SuggestedPlaces places={places} />
        {list}
      </div>
      <div className={classes.map}>
        <Suspense fallback={<SkeletonBlock width="100%" height="100%" />}>
          <PlacesMap places={places} chosen={places.find(({ id }) => id === chosen)} onChoose={setChosen} />
        </Suspense>
      </div>
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
