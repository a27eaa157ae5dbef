import { Button } from '@mantine/core'
import { IconBell, IconCar, IconLogin2, IconLogout2, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Alert } from '#contracts/alerts.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { useHasRight } from '#web/signed-in/use-has-right.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { trackerKeys } from '#web/trackers/trackers.queries.ts'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { Entries, Entry, EntryDisc } from '#web/ui/lists/entry.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { useAlertFormatter, usePartialFormatter } from './alert.format.ts'
import { alertsApi, alertsQuery } from './alerts.queries.ts'

export default function AlertsScreen() {
  const { t } = useTranslation()
  const count = useQuery({ ...alertsQuery(), enabled: false }).data?.length
  useSuspenseQuery(sessionQuery())
  const mayChange = useHasRight('changePlaces')
  const add = mayChange && (
    <Button component={Link} to="/alerts/new" h={44} leftSection={<IconPlus size={18} />}>
      {t('title.alertNew')}
    </Button>
  )
  return (
    <Page
      isNarrow
      title={t('title.alerts')}
      {...(count && { count })}
      actions={count !== 0 && add}
      lead={!mayChange && t('tracker.blocked.readOnly')}
    >
      <Part>
        <Part frame={(failure) => <PartialAlerts add={add} failure={failure} />}>
          <NamedAlerts add={add} />
        </Part>
      </Part>
    </Page>
  )
}

const NamedAlerts = ({ add }: { add: ReactNode }) => <Alerts describe={useAlertFormatter()} add={add} />

/** When names fail to load, the alerts are still worth seeing. */
const PartialAlerts = ({ add, failure }: { add: ReactNode; failure: ReactNode }) => (
  <>
    <Alerts describe={usePartialFormatter()} add={add} />
    {failure}
  </>
)

function Alerts({ describe, add }: { describe: (alert: Alert) => string[]; add: ReactNode }) {
  const { t } = useTranslation()
  const alerts = useSuspenseQuery(alertsQuery()).data
  const [removed, setRemoved] = useState<Alert | null>(null)
  const mayChange = useHasRight('changePlaces')
  if (alerts.length === 0)
    return (
      <Empty icon={<IconBell size={30} />} title={t('alerts.none')} action={add}>
        {t('alerts.lead')}
      </Empty>
    )
  return (
    <>
      <Entries label={t('title.alerts')}>
        {alerts.map((alert) => {
          const sentences = describe(alert)
          return (
            <Entry
              key={alert.id}
              name={alert.name || sentences.join(' ')}
              icon={<AlertIcon alert={alert} />}
              onEdit={mayChange ? `/alerts/${encodeURIComponent(alert.id)}` : undefined}
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
      {removed && <DeleteAlertDialog alert={removed} sentences={describe(removed)} onClose={() => setRemoved(null)} />}
    </>
  )
}

function TriggerIcon({ trigger }: Pick<Alert, 'trigger'>) {
  if (trigger === null) return <IconCar size={22} />
  if (trigger === 'enter') return <IconLogin2 size={22} />
  return trigger === 'leave' ? <IconLogout2 size={22} /> : <IconBell size={22} />
}

const AlertIcon = ({ alert: { trigger } }: { alert: Alert }) => (
  <EntryDisc>
    <TriggerIcon trigger={trigger} />
  </EntryDisc>
)

function DeleteAlertDialog({ alert: { id }, sentences, onClose }: { alert: Alert; sentences: string[]; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const remove = async () => {
    await alertsApi.remove({ params: { id } }).catch(ignoreGone)
    queries.setQueryData(alertsQuery().queryKey, (all) => all?.filter((alert) => alert.id !== id))
    // Deleting a vehicle alert changes the mode of its trackers.
    void queries.invalidateQueries({ queryKey: trackerKeys.devices })
    showToast(t('alerts.deleted'))
  }
  return (
    <ConfirmDialog isDanger title={t('alerts.deleteHeading')} action={t('action.delete')} onConfirm={remove} onClose={onClose}>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  )
}
