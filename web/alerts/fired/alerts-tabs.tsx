import { useTranslation } from 'react-i18next'
import { Link, useMatch } from 'react-router-dom'
import { useFeature } from '#web/lib/other-backends/features.ts'
import classes from '#web/ui/lists/tabs.module.css'

/** The rules of alerts, and what they did. Absent on a backend that keeps no record of it. */
export function AlertsTabs() {
  const { t } = useTranslation()
  const isFired = useMatch('/alerts/fired') !== null
  if (!useFeature('firings')) return null
  return (
    <nav aria-label={t('title.alerts')} className={classes.tabs}>
      <Link to="/alerts" aria-current={isFired ? undefined : 'page'}>
        {t('alerts.rules')}
      </Link>
      <Link to="/alerts/fired" aria-current={isFired ? 'page' : undefined}>
        {t('title.alertsFired')}
      </Link>
    </nav>
  )
}
