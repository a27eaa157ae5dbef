import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import { EVENT_TYPES } from '#contracts/lib/constants.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { Badge } from '#web/ui/badge.tsx'
import { type Column, DataTable } from '#web/ui/lists/data-table.tsx'

export function HeliumTable({ trackers }: { trackers: readonly Device[] }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const columns: Column<Device>[] = [
    { head: t('trackers.name'), cell: ({ id, name }) => <Link to={`/trackers/${id}`}>{name}</Link> },
    { head: t('helium.network'), cell: (device) => <Network device={device} /> },
    { head: t('tracker.onlineSince'), cell: ({ online_since }) => online_since && formats.date(online_since) },
    { head: t('tracker.event'), cell: (device) => <LastEvent device={device} /> },
  ]
  return <DataTable label={t('title.operatorsHelium')} columns={columns} rows={trackers} keyOf={({ id }) => id} />
}

/** Network state; a tracker deactivated by the network links to its reactivation. */
function Network({ device: { id, tracker_config } }: { device: Device }) {
  const { t } = useTranslation()
  if (tracker_config.network_state === 'active') return <Badge tone="good">{t('helium.active')}</Badge>
  return (
    <span>
      <Badge tone="bad">{t('attention.deactivated')}</Badge> <Link to={`/network_activate?id=${id}`}>{t('helium.activate')}</Link>
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
