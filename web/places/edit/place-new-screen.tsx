import { useTranslation } from 'react-i18next'
import { Page } from '#web/ui/page.tsx'
import { PlaceForm } from './place-form.tsx'
import { ReadOnly } from './read-only.tsx'
import { useChange } from './use-change.ts'

export default function PlaceNewScreen() {
  const { t } = useTranslation()
  const may = useChange()
  return (
    <Page title={t('title.placeNew')} back={{ to: '/places', label: t('title.places') }}>
      {may === false && <ReadOnly />}
      <PlaceForm isDisabled={!may} />
    </Page>
  )
}
