import { IconCheck, IconChevronDown, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { alertsQuery } from '#web/alerts/alerts.queries.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { storage } from '#web/lib/storage.ts'
import { useIsPhone } from '#web/lib/use-media.ts'
import { allPublicLinksQuery } from '#web/links/links.queries.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import classes from './checklist.module.css'

/** What is left to set up after the first tracker. It goes away when all is done, or when the user hides it. */
export default function Checklist() {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  const [isHidden, setHidden] = useState(false)
  const steps = useSteps()
  const isDone = steps?.every(({ done }) => done) ?? false
  useEffect(() => {
    if (isDone) storage.remove('checklist')
  }, [isDone])
  if (!steps || isDone || isHidden) return null
  const hide = () => {
    storage.remove('checklist')
    setHidden(true)
  }
  const count = steps.filter(({ done }) => done).length
  return (
    <details className={classes.list} open={!isPhone}>
      <summary>
        <b>{t('start.list.title')}</b>
        <small>{t('start.list.count', { n: count, of: steps.length })}</small>
        <IconChevronDown size={18} aria-hidden="true" />
      </summary>
      <progress value={count} max={steps.length} aria-hidden="true" />
      <ul>
        {steps.map(({ name, done, to }) => (
          <li key={name}>
            <Link to={to} data-done={done || undefined}>
              <span className={classes.ring}>{done && <IconCheck size={14} role="img" aria-label={t('start.list.done')} />}</span>
              {t(`start.list.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
      <IconButton label={t('start.list.hide')} Icon={IconX} onClick={hide} />
    </details>
  )
}

const FEATURE_OF = { added: undefined, position: undefined, home: 'places', alert: 'alerts', shared: 'links' } as const

/** The steps with the addresses at which each is done; undefined until all is loaded. */
function useSteps() {
  const devices = useQuery({ ...devicesQuery(), enabled: false }).data
  const hasFeature = useFeatures()
  const places = useQuery(placesQuery()).data
  const alerts = useQuery(alertsQuery()).data
  const links = useQuery(allPublicLinksQuery()).data
  const [first] = devices ?? []
  if (!first || !devices || !places || !alerts || !links) return undefined
  const page = `/trackers/${encodeURIComponent(first.id)}`
  const steps = [
    { name: 'added', done: true, to: page },
    { name: 'position', done: devices.some(({ tracker_status }) => tracker_status.last_position !== null), to: page },
    { name: 'home', done: places.length > 0, to: '/places/new' },
    { name: 'alert', done: alerts.length > 0, to: '/alerts/new' },
    { name: 'shared', done: links.length > 0, to: `${page}?sheet=share` },
  ] as const
  return steps.filter(({ name }) => hasFeature(FEATURE_OF[name]))
}
