import { IconMapPin } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { SkeletonBlock } from '#web/ui/feedback/skeleton.tsx'
import { Section } from './section.tsx'
import classes from './theft-file.module.css'

const PositionMap = lazy(() => import('./position-map.tsx'))

export function PositionSection({ device }: { device: Device }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const { last_position: at, last_address: address } = device.tracker_status
  return (
    <Section icon={<IconMapPin size={20} />} title={t('theft.locate')}>
      {!at && <p role="status">{t('shared.noPosition')}</p>}
      {at && (
        <>
          <p>
            {address && <strong className={classes.address}>{address}</strong>}
            <time dateTime={at.datetime} title={formats.dateTime(at.datetime)}>
              {t('shared.updated', { age: formats.age(at.datetime, now) })}
            </time>
          </p>
          <div className={classes.map}>
            <Suspense fallback={<SkeletonBlock width="100%" height="100%" />}>
              <PositionMap of={device} name={device.name} at={at} />
            </Suspense>
          </div>
        </>
      )}
    </Section>
  )
}
