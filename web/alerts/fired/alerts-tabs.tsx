import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router-dom'
import { useFeature } from '#web/lib/other-backends/features.ts'
import classes from './alerts-tabs.module.css'

/** The rules of alerts, and what they did. Absent on a backend that keeps no record of it. */
export function AlertsTabs() {
  const { t } = useTranslation()
  if (!useFeature('firings')) return null
  return (
    <nav aria-label={t('title.alerts')} className={classes.tabs}>
      <NavLink to="/alerts" end>
        {t('alerts.rules')}
      </NavLink>
      <NavLink to="/alerts/fired">{t('title.alertsFired')}</NavLink>
    </nav>
  )
}
