import { Button } from '@mantine/core'
import { IconAntennaBarsOff, IconMail, IconMapPinSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Device } from '#contracts/trackers/devices.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { type Filter, isSameFilter, listTags, NO_FILTER } from '#web/trackers/filters.ts'
import { TrackerRow } from '#web/trackers/parts/tracker-row.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { isLong, LongRows } from '#web/ui/lists/long-rows.tsx'
import classes from './panel.module.css'
import { SearchField } from './search-field.tsx'
import type { Browse } from './use-browse.ts'

const NoTracker = lazy(async () => ({ default: (await import('#web/trackers/parts/no-tracker.tsx')).NoTracker }))

/** Pixels, as in tracker-row.module.css. */
const ROW_HEIGHT = 60

function FilterChips({ devices, browse }: { devices: readonly Device[]; browse: Browse }) {
  const { t } = useTranslation()
  const chips: { filter: Filter; label: string }[] = [
    { filter: NO_FILTER, label: t('trackers.all') },
    { filter: { kind: 'moving' }, label: t('trackers.moving', { n: browse.moving }) },
    { filter: { kind: 'attention' }, label: t('trackers.attention', { n: browse.attention }) },
    ...listTags(devices).map(({ id, name }) => ({ filter: { kind: 'tag' as const, id }, label: name })),
  ]
  return (
    <fieldset className={classes.chips} aria-label={t('trackers.filter')}>
      {chips.map(({ filter, label }) => (
        <button
          key={filter.kind === 'tag' ? `tag ${filter.id}` : filter.kind}
          type="button"
          aria-pressed={isSameFilter(filter, browse.filter)}
          onClick={() => browse.setFilter(isSameFilter(filter, browse.filter) ? NO_FILTER : filter)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}

type Props = {
  devices: readonly Device[]
  instead: ReactNode
  browse: Browse
  chosen: number | undefined
  isSheet?: boolean
}

const Rows = ({ devices, browse, chosen }: Pick<Props, 'devices' | 'browse' | 'chosen'>) => (
  <LongRows items={devices} as="li" rowHeight={ROW_HEIGHT} chosen={chosen}>
    {(device, attributes) => (
      <li {...attributes}>
        <TrackerRow device={device} place={browse.placeOf(device)} now={browse.now} isChosen={device.id === chosen} />
      </li>
    )}
  </LongRows>
)

export function Panel({ devices, instead, browse, chosen, isSheet = false }: Props) {
  const { t } = useTranslation()
  const [isUnfolded, setUnfolded] = useState(browse.unused.some(({ id }) => id === chosen))
  return (
    <section className={classes.panel} aria-label={t('trackers.list')} data-sheet={isSheet || undefined}>
      <h1 className={classes.title} data-grip={isSheet || undefined}>
        {t('trackers.heading')} {!instead && <span>{devices.length}</span>}
      </h1>
      {devices.length > 0 && (
        <>
          {!isSheet && <SearchField browse={browse} isLong={isLong(devices)} />}
          <FilterChips devices={devices} browse={browse} />
        </>
      )}
      <div className={classes.scroll}>
        <Banners devices={devices} />
        <ul className={classes.rows}>
          <Rows devices={browse.shown} browse={browse} chosen={chosen} />
        </ul>
        {browse.unused.length > 0 && (
          <>
            <button type="button" className={classes.fold} aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
              {t('trackers.unused', { n: browse.unused.length })}
            </button>
            {isUnfolded && (
              <ul className={classes.rows}>
                <Rows devices={browse.unused} browse={browse} chosen={chosen} />
              </ul>
            )}
          </>
        )}
        {instead ?? <Suspense>{devices.length === 0 && <NoTracker />}</Suspense>}
        {devices.length > 0 && browse.shown.length === 0 && <NoMatch onReset={browse.reset} />}
      </div>
    </section>
  )
}

function NoMatch({ onReset }: { onReset: () => void }) {
  const { t } = useTranslation()
  const all = (
    <Button variant="default" onClick={onReset}>
      {t('trackers.reset')}
    </Button>
  )
  return (
    <Empty icon={<IconMapPinSearch size={30} />} title={t('trackers.noMatch')} action={all}>
      {t('trackers.noMatchLead')}
    </Empty>
  )
}

const LaterBanners = lazy(async () => ({ default: (await import('./later-banners.tsx')).LaterBanners }))

/** Notices about the whole account: a failed invoice, an unconfirmed e-mail address, trackers silent for months. */
function Banners({ devices }: { devices: readonly Device[] }) {
  const { t } = useTranslation()
  const account = useQuery(sessionQuery()).data
  const canActivate = useFeature('networkActivation')
  const silent = devices.filter(({ tracker_config }) => tracker_config.network_state === 'deactivated')
  return (
    <>
      <div className={classes.failed}>
        <Suspense>
          <LaterBanners />
        </Suspense>
      </div>
      {account?.email_confirmed === false && (
        <p className={classes.banner} role="status">
          <IconMail size={18} aria-hidden="true" />
          <Link to="/account_email">{t('home.unconfirmed')}</Link>
        </p>
      )}
      {canActivate && silent.length > 0 && (
        <p className={classes.banner} role="status">
          <IconAntennaBarsOff size={18} aria-hidden="true" />
          <Link to={silent.length === 1 ? `/network_activate?id=${encodeURIComponent(silent[0]!.id)}` : '/network_activate'}>
            {t('home.deactivated', { count: silent.length })}
          </Link>
        </p>
      )}
    </>
  )
}
