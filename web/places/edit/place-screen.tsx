import { IconMapPinQuestion } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import { parseId } from '#contracts/lib/common.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { NotFoundNotice } from '#web/ui/feedback/not-found-notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { ReadOnlyNote, useMayChangePlaces } from './may-change-places.tsx'
import { PlaceForm } from './place-form.tsx'

export default function PlaceScreen() {
  const { t } = useTranslation()
  const id = parseId(useParams().id)
  const place = useSuspenseQuery(placesQuery()).data.find((each) => each.id === id)
  const may = useMayChangePlaces()
  if (!place) return <UnknownPlace />
  return (
    <Page title={place.name} back={{ to: '/places', label: t('title.places') }}>
      {may === false && <ReadOnlyNote />}
      <PlaceForm key={place.id} place={place} isDisabled={!may} />
    </Page>
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
