import { IconHistory } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import classes from '#web/alerts/alert.module.css'
import { useFeature } from '#web/lib/other-backends/features.ts'

/** Link to the alerts that fired, of one place or tracker if given. */
export function FiredLink({ of }: { of?: { place: number } | { tracker: number } }) {
  const { t } = useTranslation()
  if (!useFeature('firings')) return null
  return (
    <Link
      to={`/alerts/fired${of ? `?${new URLSearchParams(Object.entries(of).map(([name, id]) => [name, String(id)]))}` : ''}`}
      className={classes.link}
    >
      <IconHistory size={18} aria-hidden="true" />
      {t('title.alertsFired')}
    </Link>
  )
}
