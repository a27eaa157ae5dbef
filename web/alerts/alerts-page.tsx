import { Button } from '@mantine/core'
import { IconBell, IconPlus } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Alert } from '#contracts/alerts.ts'
import { AlertsTabs } from '#web/alerts/fired/alerts-tabs.tsx'
import { Silences } from '#web/alerts/silences/silences.tsx'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { Split } from '#web/ui/lists/split.tsx'
import { Page } from '#web/ui/page.tsx'
import { useAlertFormatter, usePartialFormatter } from './alert.format.ts'
import { AlertEntries } from './alert-entries.tsx'
import { alertsQuery } from './alerts.queries.ts'

/** The alerts; on a wide window with the chosen one, or a new one, beside them. */
export function AlertsPage({ details }: { details?: ReactNode }) {
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
      isNarrow={!details}
      title={t('title.alerts')}
      {...(count && { count })}
      actions={count !== 0 && add}
      lead={!mayChange && t('tracker.blocked.readOnly')}
    >
      <AlertsTabs />
      <Split details={details}>
        <Part>
          <Silences />
          <Part frame={(failure) => <PartialAlerts add={add} failure={failure} />}>
            <NamedAlerts add={add} />
          </Part>
        </Part>
      </Split>
    </Page>
  )
}

const NamedAlerts = ({ add }: { add: ReactNode }) => <Alerts describe={useAlertFormatter()} add={add} />

/** When names fail to load, the alerts are still worth showing. */
const PartialAlerts = ({ add, failure }: { add: ReactNode; failure: ReactNode }) => (
  <>
    <Alerts describe={usePartialFormatter()} add={add} />
    {failure}
  </>
)

function Alerts({ describe, add }: { describe: (alert: Alert) => string[]; add: ReactNode }) {
  const { t } = useTranslation()
  const alerts = useSuspenseQuery(alertsQuery()).data
  if (alerts.length === 0)
    return (
      <Empty icon={<IconBell size={30} />} title={t('alerts.none')} action={add}>
        {t('alerts.lead')}
      </Empty>
    )
  // A new rule shows at once, above those of before.
  return <AlertEntries alerts={alerts.toSorted((a, b) => b.id - a.id)} describe={describe} />
}
