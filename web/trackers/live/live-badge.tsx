import { useTranslation } from 'react-i18next'
import { pollSeconds } from '#web/trackers/trackers.queries.tsx'
import classes from './live-badge.module.css'
import type { useLive } from './use-live.ts'

export function LiveBadge({ state }: { state: ReturnType<typeof useLive> }) {
  const { t } = useTranslation()
  return (
    <span className={classes.badge} role="status" aria-label={t('live.label')} data-state={state}>
      <span className={classes.dot} aria-hidden="true" />
      {t(`live.${state}`, { n: pollSeconds() })}
    </span>
  )
}
