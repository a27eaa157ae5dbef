import { Button } from '@mantine/core'
import { IconAntennaBars5 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import { parseRole } from '#contracts/rules/user.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useNow } from '#web/lib/clock.ts'
import { config } from '#web/lib/config.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { ConnectNetwork } from '#web/networks/connect-network.tsx'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import { useLive } from '#web/trackers/live/use-live.ts'
import { WithDevices } from '#web/trackers/trackers.queries.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { type Column, DataTable } from '#web/ui/lists/data-table.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './helium.module.css'

function HeliumTable({ trackers }: { trackers: readonly Device[] }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const columns: Column<Device>[] = [
    { head: t('trackers.name'), cell: ({ id, name }) => <Link to={`/trackers/${encodeURIComponent(id)}`}>{name}</Link> },
    { head: t('helium.network'), cell: (device) => <Network device={device} /> },
    { head: t('tracker.onlineSince'), cell: ({ online_since }) => online_since && formats.date(online_since) },
    { head: t('tracker.event'), cell: (device) => <LastEvent device={device} /> },
  ]
  return <DataTable label={t('title.operatorsHelium')} columns={columns} rows={trackers} keyOf={({ id }) => id} />
}

/** Network state; a tracker deactivated by the network links to its reactivation. */
function Network({ device: { id, tracker_config } }: { device: Device }) {
  const { t } = useTranslation()
  const canActivate = useFeature('networkActivation')
  if (tracker_config.network_state === 'active') return <Badge tone="good">{t('helium.active')}</Badge>
  return (
    <span>
      <Badge tone="bad">{t('attention.deactivated')}</Badge>{' '}
      {canActivate && <Link to={`/network_activate?id=${encodeURIComponent(id)}`}>{t('helium.activate')}</Link>}
    </span>
  )
}

function LastEvent({ device }: { device: Device }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const { last_event: event } = device.tracker_status
  if (!event) return null
  const known = EVENT_TYPES.find((type) => type === event.type)
  return (
    <span>
      {known ? t(`events.${known}`) : event.type} · {formats.age(event.datetime, now)}
    </span>
  )
}

export default function HeliumScreen() {
  return (
    <WithDevices>
      {(devices, instead) => <Helium trackers={devices.filter(({ operator }) => operator === 'helium')} instead={instead} />}
    </WithDevices>
  )
}

function Helium({ trackers, instead }: { trackers: readonly Device[]; instead: ReactNode }) {
  const { t } = useTranslation()
  const mayConnect = useHasRight('ownTrackers')
  const canConnect = useFeature('networkNumbers') && mayConnect
  useLive()
  return (
    <Page title={t('title.operatorsHelium')} lead={t('helium.lead')} {...(trackers.length > 0 && { count: trackers.length })}>
      {instead ??
        (trackers.length > 0 ? (
          <HeliumTable trackers={trackers} />
        ) : (
          <Empty icon={<IconAntennaBars5 size={30} />} title={t('helium.none')}>
            {t('helium.noneLead')}
          </Empty>
        ))}
      {canConnect && <ConnectNetwork />}
      <BusinessHint />
    </Page>
  )
}

function BusinessHint() {
  const { t } = useTranslation()
  const role = useQuery(sessionQuery()).data?.role
  const { supportEmail } = config()
  if (role === undefined || parseRole(role) !== 'user' || !supportEmail) return null
  return (
    <section className={classes.business}>
      <p>{t('helium.business')}</p>
      <Button component="a" variant="default" h={44} href={`mailto:${supportEmail}`}>
        {t('helium.contact')}
      </Button>
    </section>
  )
}
