import { Button } from '@mantine/core'
import { IconBellOff } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router-dom'
import { alertQuery } from '#web/lib/alerts/queries.ts'
import { accountQuery } from '#web/lib/trackers/queries.ts'
import { useMay } from '#web/lib/use-may.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { Builder } from './builder.tsx'

/** A new alert, or one to change, told as a sentence. */
export default function AlertScreen() {
  const { t } = useTranslation()
  const { id } = useParams()
  useSuspenseQuery(accountQuery())
  const alert = useSuspenseQuery(alertQuery(Number(id))).data
  const mayChange = useMay('changePlaces')
  const isUnknown = id !== undefined && !alert
  return (
    <Page
      isNarrow
      title={id === undefined ? t('title.alertNew') : t('title.alert')}
      back={{ to: '/alerts', label: t('title.alerts') }}
      lead={!mayChange && t('tracker.blocked.readOnly')}
    >
      {isUnknown && <Unknown />}
      {!isUnknown && mayChange && <Builder key={id} alert={alert} />}
    </Page>
  )
}

function Unknown() {
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
