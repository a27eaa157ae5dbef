import { IconMap2, IconPlus, IconTable, IconX } from '@tabler/icons-react'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Device } from '#contracts/trackers/devices.ts'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { STATE_GROUPS } from '#web/trackers/state.ts'
import { isLong } from '#web/ui/lists/long-rows.tsx'
import { SearchField } from '#web/ui/lists/search-field.tsx'
import classes from './list-head.module.css'
import type { Browse } from './use-browse.ts'
import type { Shape } from './use-shape.ts'

const Tools = lazy(async () => (await Promise.all([import('./list-tools.tsx'), loadWords(['extras'])]))[0])

type Props = { devices: readonly Device[]; browse: Browse; shape: Shape; failed: boolean }

/** Title, search, states and tools above the rows; the sheet of a phone has its search over the map. */
export function ListHead({ devices, browse, shape, failed }: Props) {
  const { t } = useTranslation()
  const { isSheet, isTable, isFull } = shape
  const hasRows = devices.length > 0
  const count = browse.isFiltered ? browse.shown.length : devices.length
  const tools = (
    <Suspense fallback={<span className={classes.toolsBlank} />}>
      <Tools devices={devices} browse={browse} shape={shape} />
    </Suspense>
  )
  return (
    <header className={classes.head} data-sheet={isSheet || undefined} data-table={isTable || undefined}>
      <div className={classes.top}>
        <h1 id="trackers-title" className={classes.title} data-grip={isSheet || undefined}>
          {t('trackers.heading')} {!failed && <span>{count}</span>}
        </h1>
        {hasRows && isTable && <SearchField browse={browse} isLong={isLong(devices)} />}
        {hasRows && !isTable && tools}
        {hasRows && shape.hasMap && (
          <HeadLink to={isFull ? '/' : '/trackers'} label={isFull ? t('trackers.onMap') : t('trackers.asTable')}>
            {isFull ? <IconMap2 size={18} /> : <IconTable size={18} />}
          </HeadLink>
        )}
        {hasRows && <AddLink />}
      </div>
      {hasRows && (
        <>
          {!isSheet && !isTable && <SearchField browse={browse} isLong={isLong(devices)} />}
          <StateChips browse={browse} />
          {isTable && <div className={classes.row}>{tools}</div>}
        </>
      )}
    </header>
  )
}

const HeadLink = ({ to, label, children, isMain }: { to: string; label: string; children: ReactNode; isMain?: boolean }) => (
  <Link to={to} className={classes.icon} aria-label={label} title={label} data-main={isMain || undefined}>
    {children}
  </Link>
)

/** Leads to the form for a new tracker, if the backend and the user's role allow one. */
function AddLink() {
  const { t } = useTranslation()
  const isOwner = useHasRight('ownTrackers')
  if (!useFeature('trackers') || !isOwner) return null
  return (
    <HeadLink isMain to="/trackers/add" label={t('title.trackerAdd')}>
      <IconPlus size={18} />
    </HeadLink>
  )
}

/** Filters of which several may hold: the states that occur, with their numbers, and what the address filters by besides. */
function StateChips({ browse: { view, change, counts } }: { browse: Browse }) {
  const { t } = useTranslation()
  const { states, endsThisMonth } = view
  return (
    <fieldset className={classes.chips} aria-label={t('trackers.filter')}>
      {STATE_GROUPS.filter((group) => counts[group] > 0 || states.includes(group)).map((group) => {
        const isOn = states.includes(group)
        return (
          <button
            key={group}
            type="button"
            data-group={group}
            aria-pressed={isOn}
            onClick={() => change({ states: isOn ? states.filter((one) => one !== group) : [...states, group] })}
          >
            <i aria-hidden="true" />
            {t(`groups.${group}`)} <b>{counts[group]}</b>
          </button>
        )
      })}
      {endsThisMonth && (
        <button type="button" aria-pressed="true" onClick={() => change({ endsThisMonth: false })}>
          {t('trackers.endsThisMonth')}
          <IconX size={14} aria-hidden="true" />
        </button>
      )}
    </fieldset>
  )
}
