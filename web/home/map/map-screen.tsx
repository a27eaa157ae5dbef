import { IconChevronUp, IconMapPinOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router-dom'
import type { Device } from '#contracts/trackers/devices.ts'
import { useLive } from '#web/trackers/live/use-live.ts'
import { KindIcon } from '#web/trackers/parts/kind-icon.tsx'
import { useTrackerCommands } from '#web/trackers/parts/use-tracker-commands.tsx'
import { WithDevices } from '#web/trackers/trackers.queries.tsx'
import disclosure from '#web/ui/disclosure.module.css'
import { FloatingCard } from '#web/ui/floating-card.tsx'
import { LongRows } from '#web/ui/lists/long-rows.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { HomeMap } from './home-map.tsx'
import classes from './map-screen.module.css'

/** Pixels, as in map-screen.module.css. */
const LINK_HEIGHT = 44

/** The map alone with every visible tracker. Trackers with and without a position are also listed, for screen readers. */
export default function MapScreen() {
  return <WithDevices skeleton={<Blank />}>{(devices, instead) => <WholeMap devices={devices} instead={instead} />}</WithDevices>
}

function Blank() {
  const { t } = useTranslation()
  return (
    <div className={classes.blank} role="status">
      <VisuallyHidden>{t('app.loading')}</VisuallyHidden>
    </div>
  )
}

function WholeMap({ devices, instead }: { devices: readonly Device[]; instead: ReactNode }) {
  const { t } = useTranslation()
  const live = useLive()
  const navigate = useNavigate()
  useTrackerCommands(devices)
  const unplaced = devices.filter(({ tracker_status }) => tracker_status.last_position === null)
  const placed = devices.filter(({ visible, tracker_status }) => visible && tracker_status.last_position !== null)
  return (
    <div className={classes.screen}>
      <VisuallyHidden>
        <h1>{t('title.map')}</h1>
      </VisuallyHidden>
      <HomeMap devices={devices} live={live} open={(id) => void navigate(`/trackers/${encodeURIComponent(id)}`)} />
      <FloatingCard className={classes.card}>
        {instead ?? (placed.length === 0 && <NoneOnMap />)}
        <TrackerLinks title={t('trackers.heading')} devices={placed} />
        <TrackerLinks title={t('map.noPosition')} devices={unplaced} />
      </FloatingCard>
    </div>
  )
}

function NoneOnMap() {
  const { t } = useTranslation()
  return (
    <p role="status" className={classes.empty}>
      <IconMapPinOff size={18} aria-hidden="true" />
      {t('map.empty')}
    </p>
  )
}

function TrackerLinks({ title, devices }: { title: string; devices: readonly Device[] }) {
  if (devices.length === 0) return null
  return (
    <details className={`${disclosure.disclosure} ${classes.listed}`}>
      <summary>
        {title} <span>{devices.length}</span>
        <IconChevronUp size={16} aria-hidden="true" />
      </summary>
      <ul>
        <LongRows items={devices} as="li" rowHeight={LINK_HEIGHT}>
          {({ id, name, kind }, attributes) => (
            <li {...attributes}>
              <Link to={`/trackers/${encodeURIComponent(id)}`}>
                <KindIcon kind={kind} size={18} />
                {name}
              </Link>
            </li>
          )}
        </LongRows>
      </ul>
    </details>
  )
}
