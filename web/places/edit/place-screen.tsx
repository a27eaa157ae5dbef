import { Button } from '@mantine/core'
import { IconBell, IconMapPinQuestion } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router-dom'
import { parseId } from '#contracts/lib/common.ts'
import { PlaceAlerts } from '#web/alerts/place-alerts.tsx'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { NotFoundNotice } from '#web/ui/feedback/not-found-notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { Detail, useIsSplit } from '#web/ui/lists/split.tsx'
import { Page } from '#web/ui/page.tsx'
import { ReadOnlyNote, useMayChangePlaces } from './may-change-places.tsx'
import { PlaceForm } from './place-form.tsx'
import { PlacesPage } from './places-page.tsx'

export default function PlaceScreen() {
  const { t } = useTranslation()
  const id = parseId(useParams().id)
  const place = useSuspenseQuery(placesQuery()).data.find((each) => each.id === id)
  const may = useMayChangePlaces()
  const hasAlerts = useFeature('alerts')
  const isSplit = useIsSplit()
  if (!place) return <UnknownPlace />
  const content = (
    <>
      {may === false && <ReadOnlyNote />}
      <PlaceForm key={place.id} place={place} isDisabled={!may} />
      {hasAlerts && (
        <Part>
          <PlaceAlerts place={place.id} />
        </Part>
      )}
    </>
  )
  const alertLink = may && hasAlerts && <AlertLink place={place.id} />
  if (isSplit)
    return (
      <PlacesPage
        details={
          <Detail title={place.name} isWide isPage>
            {content}
            {alertLink && <div>{alertLink}</div>}
          </Detail>
        }
      />
    )
  return (
    <Page title={place.name} back={{ to: '/places', label: t('title.places') }} actions={alertLink}>
      {content}
    </Page>
  )
}

function AlertLink({ place }: { place: number }) {
  const { t } = useTranslation()
  return (
    <Button
      component={Link}
      to={`/alerts/new?place=${encodeURIComponent(place)}`}
      variant="default"
      h={44}
      leftSection={<IconBell size={18} />}
    >
      {t('title.alertNew')}
    </Button>
  )
}

function UnknownPlace() {
  const { t } = useTranslation()
  return (
    <NotFoundNotice icon={<IconMapPinQuestion size={30} />} title={t('places.unknown')} link={{ to: '/places', label: t('title.places') }}>
      {t('places.unknownLead')}
    </NotFoundNotice>
  )
}
