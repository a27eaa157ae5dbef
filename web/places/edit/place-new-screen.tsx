import { useTranslation } from 'react-i18next'
import { Detail, useIsSplit } from '#web/ui/lists/split.tsx'
import { Page } from '#web/ui/page.tsx'
import { ReadOnlyNote, useMayChangePlaces } from './may-change-places.tsx'
import { PlaceForm } from './place-form.tsx'
import { PlacesPage } from './places-page.tsx'

export default function PlaceNewScreen() {
  const { t } = useTranslation()
  const may = useMayChangePlaces()
  const isSplit = useIsSplit()
  const content = (
    <>
      {may === false && <ReadOnlyNote />}
      <PlaceForm isDisabled={!may} />
    </>
  )
  if (isSplit)
    return (
      <PlacesPage
        details={
          <Detail title={t('title.placeNew')} isWide isPage>
            {content}
          </Detail>
        }
      />
    )
  return (
    <Page title={t('title.placeNew')} back={{ to: '/places', label: t('title.places') }}>
      {content}
    </Page>
  )
}
