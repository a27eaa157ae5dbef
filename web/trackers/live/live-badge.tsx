import { useTranslation } from 'react-i18next'
import classes from './live-badge.module.css'
import type { LiveState } from './live-channel.ts'

export function LiveBadge({ state }: { state: LiveState }) {
  const { t } = useTranslation()
  return (
    <span className={classes.badge} role="status" aria-label={t('live.label')} data-state={state}>
      <span className={classes.dot} aria-hidden="true" />
      {t(`live.${state}`)}
    </span>
  )
}
