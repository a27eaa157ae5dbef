import { Button } from '@mantine/core'
import { IconAntennaBarsOff, IconMail, IconMapPinSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Device } from '#contracts/trackers/devices.ts'
import { useRows } from '#web/home/bulk/use-rows.ts'
import type { Ticked } from '#web/home/bulk/use-ticked.ts'
import { type Row, toRows } from '#web/home/list/arrange.ts'
import { ListHead } from '#web/home/list/list-head.tsx'
import type { Browse } from '#web/home/list/use-browse.ts'
import type { Shape } from '#web/home/list/use-shape.ts'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { TrackerRow } from '#web/trackers/parts/tracker-row.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LongRows } from '#web/ui/lists/long-rows.tsx'
import classes from './panel.module.css'

const NoTracker = lazy(async () => (await Promise.all([import('#web/first-minute/no-tracker-yet.tsx'), loadWords(['start'])]))[0])

const TrackerTable = lazy(async () => (await Promise.all([import('#web/home/list/tracker-table.tsx'), loadWords(['extras'])]))[0])

const BulkBar = lazy(async () => ({
  default: (await Promise.all([import('#web/home/bulk/bulk-bar.tsx'), loadWords(['extras'])]))[0].BulkBar,
}))

type Props = {
  devices: readonly Device[]
  instead: ReactNode
  browse: Browse
  shape: Shape
  chosen: number | undefined
  /** Undefined for a user who may not tick. */
  ticked: Ticked | undefined
}

type RowsProps = Pick<Props, 'browse' | 'shape' | 'chosen' | 'ticked'> & { rows: readonly Row[] }

const Rows = ({ rows, browse, shape: { density }, chosen, ticked }: RowsProps) => (
  <ul className={classes.rows}>
    <LongRows items={rows} as="li" rowHeight={density} chosen={chosen}>
      {(row, attributes) =>
        'head' in row ? (
          <li {...attributes} className={classes.group}>
            <h2>
              {row.head} <span>{row.count}</span>
            </h2>
          </li>
        ) : (
          <li {...attributes} data-ticked={ticked?.isTicked(row.id) || undefined}>
            <TrackerRow
              device={row.device}
              place={browse.group === 'place' ? undefined : browse.placeOf(row.device)}
              now={browse.now}
              density={density}
              isChosen={row.id === chosen}
            />
            {ticked && ticked.ticked.length > 0 && <Tick device={row.device} isTicked={ticked.isTicked(row.id)} />}
          </li>
        )
      }
    </LongRows>
  </ul>
)

/** Shown in a narrow list only while trackers are ticked, with the key or on the map. */
function Tick({ device: { id, name }, isTicked }: { device: Device; isTicked: boolean }) {
  const { t } = useTranslation()
  return (
    <input
      type="checkbox"
      className={classes.tick}
      aria-label={t('list.bulk.choose', { name })}
      data-tick={id}
      checked={isTicked}
      readOnly
    />
  )
}

export function Panel({ devices, instead, browse, shape, chosen, ticked }: Props) {
  const { unused } = browse
  const used = unused.length > 0 ? browse.rows.slice(0, -unused.length) : browse.rows
  const { t } = useTranslation()
  const [isUnfolded, setUnfolded] = useState(unused.some(({ id }) => id === chosen))
  const bones = <SkeletonRows count={9} />
  const list = useRows(ticked)
  return (
    <section
      className={classes.panel}
      aria-label={t('trackers.list')}
      data-sheet={shape.isSheet || undefined}
      data-table={shape.isTable || undefined}
    >
      <ListHead devices={devices} browse={browse} shape={shape} failed={instead !== null} />
      <div ref={list} className={classes.scroll}>
        {!browse.isFiltered && <Banners devices={devices} />}
        {shape.isTable ? (
          <Suspense fallback={bones}>
            {browse.shown.length > 0 && <TrackerTable browse={browse} shape={shape} chosen={chosen} ticked={ticked} />}
          </Suspense>
        ) : (
          <>
            <Rows rows={used} browse={browse} shape={shape} chosen={chosen} ticked={ticked} />
            {unused.length > 0 && (
              <>
                <button type="button" className={classes.fold} aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
                  {t('trackers.unused', { n: unused.length })}
                </button>
                {isUnfolded && <Rows rows={toRows(unused)} browse={browse} shape={shape} chosen={chosen} ticked={ticked} />}
              </>
            )}
          </>
        )}
        {instead ?? <Suspense>{devices.length === 0 && <NoTracker />}</Suspense>}
        {devices.length > 0 && browse.shown.length === 0 && <NoMatch onReset={browse.reset} />}
        <Suspense>{ticked && ticked.ticked.length > 0 && <BulkBar devices={ticked.ticked} onClear={ticked.clear} />}</Suspense>
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
