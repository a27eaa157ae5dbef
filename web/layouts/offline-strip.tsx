import { IconCloudOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import classes from './offline-strip.module.css'

/** Says since when the data is out of date; renders nothing when `since` is null. */
export function OfflineStrip({ since }: { since: Date | null }) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <div className={classes.strip} aria-live="polite">
      {since && (
        <p className={classes.text}>
          <IconCloudOff size={16} aria-hidden="true" />
          {t('offline.asOf', { time: formats.time(since) })}
        </p>
      )}
    </div>
  )
}
