import { Button } from '@mantine/core'
import { IconHistory, IconMailOpened, IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { AlertFiring } from '#contracts/firings.ts'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { toDay } from '#web/lib/period.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { Part } from '#web/ui/feedback/part.tsx'
import { Detail } from '#web/ui/lists/split.tsx'
import { FalseAlarm } from './false-alarm.tsx'
import { useFiringSentence } from './firing-words.ts'
import { firingQuery, useMarkFiring } from './firings.queries.ts'
import classes from './inbox.module.css'
import { Notices } from './notices.tsx'
import { Snooze } from './snooze.tsx'

const FiringMap = lazy(() => import('./firing-map.tsx'))

/** What is known of a fired alert. Showing it marks it as seen. */
export function FiringDetails({ id }: { id: number }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const describe = useFiringSentence()
  const { data: firing } = useSuspenseQuery(firingQuery(id))
  const { at, address } = firing
  return (
    <Detail isWide title={describe(firing)} lead={[formats.dateTime(at), address].filter(Boolean).join(' · ')}>
      <MarkSeen firing={firing} />
      <Where firing={firing} />
      <section className={classes.part} aria-label={t('fired.who')}>
        <h3>{t('fired.who')}</h3>
        <Notices firing={firing} />
      </section>
      <Actions firing={firing} />
    </Detail>
  )
}

/** Marks it once, so that it can be marked as unread again while it is shown. */
function MarkSeen({ firing: { id, seen } }: { firing: AlertFiring }) {
  const { mutate } = useMarkFiring(id)
  const mark = useEffectEvent(() => {
    if (seen === false) mutate({ seen: true })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another alert is marked as well
  useEffect(() => mark(), [id])
  return null
}

function Where({ firing: { lat, lng, precision = 0, place } }: { firing: AlertFiring }) {
  const at = useMemo(() => (lat === undefined || lng === undefined ? null : { lat, lng, radius: precision }), [lat, lng, precision])
  if (!at) return null
  return (
    <div className={classes.map}>
      <Part>
        <MapOfPlace at={at} place={place} />
      </Part>
    </div>
  )
}

/** Waits for the places, because the first view of the map has to include the border. */
function MapOfPlace({ at, place }: { at: LatLng & { radius: number }; place: number | null }) {
  const places = useSuspenseQuery(placesQuery()).data
  return <FiringMap at={at} place={places.find(({ id }) => id === place)} />
}

function Actions({ firing }: { firing: AlertFiring }) {
  const { t } = useTranslation()
  const has = useFeatures()
  const mayChange = useHasRight('changePlaces')
  const { id, at, device, seen, false_alarm: isFalse = false } = firing
  const { mutate, isPending } = useMarkFiring(id)
  return (
    <>
      {isFalse && mayChange && <FalseAlarm firing={firing} />}
      <div className={classes.actions}>
        {mayChange && (
          <Button
            variant="default"
            h={44}
            loading={isPending}
            leftSection={isFalse ? <IconThumbUp size={18} /> : <IconThumbDown size={18} />}
            onClick={() => mutate({ false_alarm: !isFalse })}
          >
            {t(isFalse ? 'fired.notFalse' : 'fired.falseAlarm')}
          </Button>
        )}
        {mayChange && has('silences') && <Snooze firing={firing} />}
        {has('history') && (
          <Button
            component={Link}
            to={`/trackers/${encodeURIComponent(device)}/history?day=${toDay(at)}`}
            variant="default"
            h={44}
            leftSection={<IconHistory size={18} />}
          >
            {t('fired.day')}
          </Button>
        )}
        {seen && (
          <Button variant="default" h={44} leftSection={<IconMailOpened size={18} />} onClick={() => mutate({ seen: false })}>
            {t('fired.markUnread')}
          </Button>
        )}
      </div>
    </>
  )
}
