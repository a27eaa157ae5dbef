import { Button } from '@mantine/core'
import { IconBellOff } from '@tabler/icons-react'
import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router-dom'
import { parseId } from '#contracts/lib/common.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { meQuery } from '#web/signed-in/account.queries.ts'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { Detail, useIsSplit } from '#web/ui/lists/split.tsx'
import { Page } from '#web/ui/page.tsx'
import { AlertForm } from './alert-form.tsx'
import { alertQuery, contactsQuery } from './alerts.queries.ts'
import { AlertsPage } from './alerts-page.tsx'

export default function AlertScreen() {
  const { t } = useTranslation()
  const { id } = useParams()
  const [search] = useSearchParams()
  usePrefetchQuery(meQuery())
  usePrefetchQuery(devicesQuery())
  usePrefetchQuery(contactsQuery())
  usePrefetchQuery(placesQuery())
  useSuspenseQuery(sessionQuery())
  const mayChange = useHasRight('changePlaces')
  const isSplit = useIsSplit()
  const isUnusual = useFeature('normal') && search.get('rule') === 'unusual'
  const title = id === undefined ? t('title.alertNew') : t('title.alert')
  const content = (
    <Part>
      {id !== undefined && <ExistingAlert key={id} id={parseId(id)} mayChange={mayChange} />}
      {id === undefined && mayChange && (
        <AlertForm alert={undefined} start={{ devices: readIds(search, 'tracker'), place: readIds(search, 'place')[0], isUnusual }} />
      )}
    </Part>
  )
  if (isSplit && mayChange)
    return (
      <AlertsPage
        details={
          <Detail title={title} isPage>
            {content}
          </Detail>
        }
      />
    )
  return (
    <Page isNarrow title={title} back={{ to: '/alerts', label: t('title.alerts') }} lead={!mayChange && t('tracker.blocked.readOnly')}>
      {content}
    </Page>
  )
}

const readIds = (search: URLSearchParams, name: string) => (search.get(name)?.split(',') ?? []).filter(Boolean).map((id) => parseId(id))

function ExistingAlert({ id, mayChange }: { id: number; mayChange: boolean }) {
  const alert = useSuspenseQuery(alertQuery(id)).data
  if (!alert) return <UnknownAlert />
  return mayChange && <AlertForm alert={alert} />
}

function UnknownAlert() {
  const { t } = useTranslation()
  return (
    <Notice
      icon={<IconBellOff size={30} />}
      title={t('alerts.unknown')}
      action={
        <Button component={Link} to="/alerts" variant="default" h={44}>
          {t('title.alerts')}
        </Button>
      }
    >
      {t('alerts.unknownLead')}
    </Notice>
  )
}
