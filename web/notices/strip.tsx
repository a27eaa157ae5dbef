import { IconCloudOff, IconHistory } from '@tabler/icons-react'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { useLastKnown } from '#web/trackers/trackers.queries.tsx'
import classes from './strip.module.css'

const PortalNotices = lazy(async () => (await Promise.all([import('./portal-notices.tsx'), loadWords(['extras'])]))[0])

/** Above every screen: since when the data is out of date, offline or until the server has responded, and what the operator has to say. */
export default function Strip({ since }: { since: Date | null }): ReactNode {
  const { t } = useTranslation()
  const formats = useFormats()
  const lastKnown = useLastKnown()
  const has = useFeatures()
  return (
    <>
      {since && (
        <p className={classes.text}>
          <IconCloudOff size={16} aria-hidden="true" />
          {t('offline.asOf', { time: formats.time(since) })}
        </p>
      )}
      {!since && lastKnown !== null && (
        <p className={classes.text}>
          <IconHistory size={16} aria-hidden="true" />
          {t('offline.lastKnown', { time: formats.dateTime(new Date(lastKnown)) })}
        </p>
      )}
      {(has('terms') || has('announcements')) && (
        <Suspense>
          <PortalNotices />
        </Suspense>
      )}
    </>
  )
}
