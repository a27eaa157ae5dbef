import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FiredLink } from '#web/alerts/fired/fired-link.tsx'
import { Silences } from '#web/alerts/silences/silences.tsx'
import { useAlertFormatter } from './alert.format.ts'
import classes from './alert.module.css'
import { AlertEntries } from './alert-entries.tsx'
import { alertsQuery } from './alerts.queries.ts'

/** The alerts that watch a place, and a link to those that fired. */
export function PlaceAlerts({ place }: { place: number }) {
  const { t } = useTranslation()
  const describe = useAlertFormatter()
  const alerts = useSuspenseQuery(alertsQuery()).data.filter((alert) => alert.place === place)
  if (alerts.length === 0) return <FiredLink of={{ place }} />
  return (
    <section className={classes.section} aria-labelledby="place-alerts">
      <h2 id="place-alerts">{t('title.alerts')}</h2>
      <AlertEntries alerts={alerts} describe={describe} />
      <FiredLink of={{ place }} />
    </section>
  )
}

/** The alerts that watch a tracker, and a link to those that fired. */
export function TrackerAlerts({ device }: { device: number }) {
  const describe = useAlertFormatter()
  const alerts = useSuspenseQuery(alertsQuery()).data.filter(({ devices }) => devices.includes(device))
  return (
    <>
      <Silences device={device} />
      {alerts.length > 0 && <AlertEntries alerts={alerts} describe={describe} />}
      <FiredLink of={{ tracker: device }} />
    </>
  )
}
