import { useTranslation } from 'react-i18next'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import classes from './legend.module.css'

/** Explains the colours of the trace by speed. */
export function Legend({ topKmh }: { topKmh: number }) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <p className={classes.legend}>
      <strong>{t('history.legend')}</strong>
      <span>{formats.number(0)}</span>
      <i className={classes.scale} aria-hidden="true" />
      <span>{formats.speed(topKmh)}</span>
    </p>
  )
}
