import { Button } from '@mantine/core'
import { IconMapPin, IconRoute, IconShare2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device, Position } from '#contracts/trackers/devices.ts'
import { mapsLink } from '#web/finder/maps-link.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { blockReason } from '#web/trackers/block-reason.ts'
import { addressWords, stateWords } from '#web/trackers/tracker-words.ts'
import { SkeletonBlock } from '#web/ui/feedback/skeleton.tsx'
import { Section } from './section.tsx'
import classes from './theft-file.module.css'

const ShareDialog = lazy(() => import('#web/home/dialogs/share-dialog.tsx'))
const PositionMap = lazy(() => import('./position-map.tsx'))

/** Where the tracker is now, the way there, and a link for whoever helps to search. */
export function PositionSection({ device }: { device: Device }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const [isSharing, setSharing] = useState(false)
  const role = useQuery(sessionQuery()).data?.role
  const mayShare = useFeature('links') && role !== undefined && blockReason('share', device, role, now) === null
  const { last_position: at } = device.tracker_status
  return (
    <>
      <Section icon={<IconMapPin size={20} />} title={t('theft.locate')} isUrgent beside={at && <WhereMap device={device} at={at} />}>
        {!at && <p role="status">{t('shared.noPosition')}</p>}
        {at && (
          <>
            <p>
              <strong className={classes.address}>{addressWords(device)}</strong>
              {stateWords(t, device, now)} ·{' '}
              <time dateTime={at.datetime} title={formats.dateTime(at.datetime)}>
                {t('shared.updated', { age: formats.age(at.datetime, now) })}
              </time>{' '}
              · {t('tracker.accuracy', { distance: formats.meters(at.precision) })}
            </p>
            <div className={classes.both}>
              <Button
                component="a"
                href={mapsLink(at, device.name)}
                target="_blank"
                rel="noreferrer"
                h={52}
                leftSection={<IconRoute size={20} />}
              >
                {t('finder.route')}
              </Button>
              {mayShare && (
                <Button variant="default" h={52} leftSection={<IconShare2 size={20} />} onClick={() => setSharing(true)}>
                  {t('theft.share')}
                </Button>
              )}
            </div>
          </>
        )}
      </Section>
      {isSharing && (
        <Suspense>
          <ShareDialog device={device} onClose={() => setSharing(false)} />
        </Suspense>
      )}
    </>
  )
}

const WhereMap = ({ device, at }: { device: Device; at: Position }) => (
  <div className={classes.map}>
    <Suspense fallback={<SkeletonBlock width="100%" height="100%" />}>
      <PositionMap of={device} name={device.name} at={at} />
    </Suspense>
  </div>
)
