import { Button } from '@mantine/core'
import { IconFileImport, IconMapPinPlus, IconPlus } from '@tabler/icons-react'
import { useQuery, useSuspenseQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useFeature } from '#web/lib/api/features.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { useHasRight } from '#web/signed-in/use-has-right.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { Page } from '#web/ui/page.tsx'
import { PlacesOverview } from './places-overview.tsx'

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
