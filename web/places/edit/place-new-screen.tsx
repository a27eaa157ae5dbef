import { useTranslation } from 'react-i18next'
import { Page } from '#web/ui/page.tsx'
import { ReadOnlyNote, useMayChangePlaces } from './may-change-places.tsx'
import { PlaceForm } from './place-form.tsx'

export default function PlaceNewScreen() {
  const { t } = useTranslation()
  const may = useMayChangePlaces()
  return (
    <Page title={t('title.placeNew')} back={{ to: '/places', label: t('title.places') }}>
      {may === false && <ReadOnlyNote />}
      <PlaceForm isDisabled={!may} />
    </Page>
  )
}
