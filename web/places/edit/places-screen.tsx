import { Button } from '@mantine/core'
import { IconFileImport, IconMapPinPlus, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useFeature } from '#web/lib/api/features.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { useHasRight } from '#web/signed-in/use-has-right.ts'
import { Failure } from '#web/ui/feedback/failure.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Page } from '#web/ui/page.tsx'
import { PlacesOverview } from './places-overview.tsx'

export default function PlacesScreen() {
  const { t } = useTranslation()
  const { data: places, isError, refetch } = useQuery(placesQuery())
  const mayChange = useHasRight('changePlaces')
  const actions = mayChange && <Actions />
  const hasSome = places !== undefined && places.length > 0
  return (
    <Page title={t('title.places')} lead={t('places.lead')} actions={hasSome && actions} {...(hasSome && { count: places.length })}>
      {isError && <Failure retry={() => void refetch()} />}
      {!places && !isError && <SkeletonRows />}
      {places?.length === 0 && (
        <Empty icon={<IconMapPinPlus size={30} />} title={t('places.none')} action={actions}>
          {t('places.noneLead')}
        </Empty>
      )}
      {hasSome && <PlacesOverview places={places} mayChange={mayChange} />}
    </Page>
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
