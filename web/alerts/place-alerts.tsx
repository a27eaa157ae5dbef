import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FiredLink } from '#web/alerts/fired/fired-link.tsx'
import { useAlertFormatter } from './alert.format.ts'
import classes from './alert.module.css'
import { AlertEntries } from './alert-entries.tsx'
import { alertsQuery } from './alerts.queries.ts'

/** The alerts that watch a place, and a link to those that fired. */
export function PlaceAlerts({ place }: { place: number }) {
  const { t } = useTranslation()
  const describe = useAlertFormatter()
  const alerts = useSuspenseQuery(alertsQuery()).data.filter((alert) => alert.place === place)
  if (alerts.length === 0) return <FiredLink place={place} />
  return (
    <section className={classes.section} aria-labelledby="place-alerts">
      <h2 id="place-alerts">{t('title.alerts')}</h2>
      <AlertEntries alerts={alerts} describe={describe} />
      <FiredLink place={place} />
    </section>
  )
}
