import { Button } from '@mantine/core'
import { IconBell, IconCar, IconLogin2, IconLogout2, IconPlus } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Alert } from '#contracts/alerts.ts'
import { useMay } from '#web/signed-in/use-may.ts'
import { accountQuery } from '#web/trackers/trackers.queries.ts'
import { Empty } from '#web/ui/empty.tsx'
import { Entries, Entry, EntryDisc } from '#web/ui/entry.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { Page } from '#web/ui/page.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { alertsQuery } from './alerts.queries.ts'
import { RemoveAlert } from './remove-alert.tsx'
import { useSentences } from './sentences.ts'

export default function AlertsScreen() {
  const { t } = useTranslation()
  useSuspenseQuery(accountQuery())
  const { data: alerts, isLoadingError, refetch } = useQuery(alertsQuery())
  const { say, retry } = useSentences()
  const [removed, setRemoved] = useState<Alert | null>(null)
  const mayChange = useMay('changePlaces')
  const add = mayChange && (
    <Button component={Link} to="/alerts/new" h={44} leftSection={<IconPlus size={18} />}>
      {t('title.alertNew')}
    </Button>
  )
  const hasSome = alerts !== undefined && alerts.length > 0
  return (
    <Page
      isNarrow
      title={t('title.alerts')}
      {...(hasSome && { count: alerts.length })}
      actions={(hasSome || isLoadingError) && add}
      lead={!mayChange && t('tracker.blocked.readOnly')}
    >
      {isLoadingError && <Failure retry={() => void refetch()} />}
      {!isLoadingError && !(alerts && say) && <SkeletonRows />}
      {say && alerts?.length === 0 && (
        <Empty icon={<IconBell size={30} />} title={t('alerts.none')} action={add}>
          {t('alerts.lead')}
        </Empty>
      )}
      {hasSome && say && (
        <Entries label={t('title.alerts')}>
          {alerts.map((alert) => {
            const sentences = say(alert)
            return (
              <Entry
                key={alert.id}
                name={alert.name ?? sentences.join(' ')}
                icon={<Sign alert={alert} />}
                onEdit={mayChange ? `/alerts/${alert.id}` : undefined}
                onDelete={mayChange ? () => setRemoved(alert) : undefined}
              >
                {sentences.map((sentence) => (
                  <strong key={sentence}>{sentence}</strong>
                ))}
                {alert.name && <small>{alert.name}</small>}
              </Entry>
            )
          })}
        </Entries>
      )}
      {hasSome && retry && <Failure retry={retry} />}
      {removed && say && <RemoveAlert alert={removed} sentences={say(removed)} onClose={() => setRemoved(null)} />}
    </Page>
  )
}

const Sign = ({ alert: { trigger } }: { alert: Alert }) => (
  <EntryDisc>{trigger ? trigger === 'enter' ? <IconLogin2 size={22} /> : <IconLogout2 size={22} /> : <IconCar size={22} />}</EntryDisc>
)
