import {
  IconAdjustmentsHorizontal,
  IconArrowsSort,
  IconBaselineDensityLarge,
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconColumns3,
  IconShare2,
  IconSortAscending,
  IconSortDescending,
  IconStack2,
  IconTag,
} from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { ShareSeveralDialog } from '#web/links/several/load-share-several.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { listTags } from '#web/trackers/filters.ts'
import { columnsOf, knownColumns } from './columns.ts'
import classes from './list-tools.module.css'
import { GROUPINGS, type Grouping, SORT_KEYS, type SortKey } from './list-view.ts'
import { Pop } from './pop.tsx'
import type { Browse } from './use-browse.ts'
import type { Density, Shape } from './use-shape.ts'
import { ViewsMenu } from './views-menu.tsx'

type Props = { devices: readonly Device[]; browse: Browse; shape: Shape }

/** Loaded after the list: a table has its tools in a row, a narrow list behind one button. */
export default function ListTools({ devices, browse, shape }: Props) {
  const { t } = useTranslation()
  if (!shape.isTable)
    return (
      <span className={classes.icons}>
        {shape.isSheet && <ShareButton devices={devices} browse={browse} isIcon />}
        <ViewsMenu browse={browse} isIcon />
        <Pop label={t('list.tools')} icon={<IconAdjustmentsHorizontal size={18} />} isIcon>
          <TagChoice devices={devices} browse={browse} />
          <SortChoice browse={browse} />
          <GroupChoice browse={browse} />
          {!shape.isSheet && <DensityChoice shape={shape} />}
        </Pop>
      </span>
    )
  const hasTags = listTags(devices).length > 0
  const chosen = listTags(devices).filter(({ id }) => browse.view.tags.includes(id))
  return (
    <div className={classes.bar}>
      {hasTags && (
        <Pop label={t('list.tag')} icon={<IconTag size={16} />} value={chosen.map(({ name }) => name).join(', ')}>
          <TagChoice devices={devices} browse={browse} />
        </Pop>
      )}
      <Pop
        label={t('list.group')}
        icon={<IconStack2 size={16} />}
        value={browse.group === 'none' ? undefined : t(`list.grouping.${browse.group}`)}
      >
        <GroupChoice browse={browse} />
      </Pop>
      <Pop label={t('list.sort')} icon={<IconArrowsSort size={16} />}>
        <SortChoice browse={browse} />
      </Pop>
      <Pop label={t('list.columns')} icon={<IconColumns3 size={16} />}>
        <ColumnChoice browse={browse} />
      </Pop>
      <ViewsMenu browse={browse} />
      <span className={classes.gap} />
      <ShareButton devices={devices} browse={browse} />
      <DensityChoice shape={shape} />
    </div>
  )
}

/** Shares several trackers with one link: those that the list shows, or those chosen in the dialog. */
function ShareButton({ devices, browse: { shown }, isIcon = false }: Omit<Props, 'shape'> & { isIcon?: boolean }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const mayShare = useHasRight('changeTrackers')
  if (!useFeature('groupLinks') || !mayShare || devices.length < 2) return null
  return (
    <>
      <button
        type="button"
        className={classes.button}
        data-icon={isIcon || undefined}
        aria-label={isIcon ? t('tracker.share') : undefined}
        onClick={() => setOpen(true)}
      >
        <IconShare2 size={isIcon ? 18 : 16} aria-hidden="true" />
        {!isIcon && t('tracker.share')}
      </button>
      {isOpen && (
        <Suspense>
          <ShareSeveralDialog first={shown.length < devices.length ? shown.map(({ id }) => id) : []} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function TagChoice({ devices, browse: { view, change } }: { devices: readonly Device[]; browse: Browse }) {
  const { t } = useTranslation()
  const tags = listTags(devices)
  if (tags.length === 0) return null
  return (
    <fieldset className={classes.choice}>
      <legend>{t('list.tag')}</legend>
      {tags.map(({ id, name, color }) => {
        const isOn = view.tags.includes(id)
        return (
          <label key={id}>
            <input
              type="checkbox"
              checked={isOn}
              onChange={() => change({ tags: isOn ? view.tags.filter((one) => one !== id) : [...view.tags, id] })}
            />
            <i style={{ background: color }} aria-hidden="true" />
            {name}
          </label>
        )
      })}
    </fieldset>
  )
}

function GroupChoice({ browse: { group, owners, change } }: { browse: Browse }) {
  const { t } = useTranslation()
  const hasPlaces = useFeature('places')
  const known: Partial<Record<Grouping, boolean>> = { owner: owners !== undefined, place: hasPlaces }
  return (
    <fieldset className={classes.choice}>
      <legend>{t('list.group')}</legend>
      {GROUPINGS.filter((one) => known[one] ?? true).map((one) => (
        <label key={one}>
          <input type="radio" name="list-group" checked={group === one} onChange={() => change({ group: one })} />
          {t(`list.grouping.${one}`)}
        </label>
      ))}
    </fieldset>
  )
}

function SortChoice({ browse: { view, owners, change } }: { browse: Browse }) {
  const { t } = useTranslation()
  const first = view.sort[0]
  const keys: readonly SortKey[] = SORT_KEYS.filter((key) => key !== 'owner' || owners)
  const isDescending = first?.isDescending ?? false
  return (
    <fieldset className={classes.choice}>
      <legend>{t('list.sort')}</legend>
      <span className={classes.sort}>
        <select
          aria-label={t('list.sort')}
          value={first?.key ?? ''}
          onChange={({ target }) => {
            const key = keys.find((one) => one === target.value)
            change({ sort: key ? [{ key, isDescending: false }] : [] })
          }}
        >
          <option value="">{t('list.standard')}</option>
          {keys.map((key) => (
            <option key={key} value={key}>
              {t(`list.column.${key}`)}
            </option>
          ))}
        </select>
        <button
          type="button"
          aria-label={t('list.reverse')}
          title={t('list.reverse')}
          aria-pressed={isDescending}
          disabled={!first}
          onClick={() => first && change({ sort: [{ ...first, isDescending: !isDescending }, ...view.sort.slice(1)] })}
        >
          {isDescending ? <IconSortDescending size={18} /> : <IconSortAscending size={18} />}
        </button>
      </span>
    </fieldset>
  )
}

function ColumnChoice({ browse }: { browse: Browse }) {
  const { t } = useTranslation()
  const shown = columnsOf(browse)
  return (
    <fieldset className={classes.choice}>
      <legend>{t('list.columns')}</legend>
      {knownColumns(browse).map((column) => {
        const isOn = shown.includes(column)
        return (
          <label key={column}>
            <input
              type="checkbox"
              checked={isOn}
              onChange={() => browse.change({ columns: isOn ? shown.filter((one) => one !== column) : [...shown, column] })}
            />
            {t(`list.column.${column}`)}
          </label>
        )
      })}
    </fieldset>
  )
}

const DENSITIES = [
  { density: 32, word: 'low', Icon: IconBaselineDensitySmall },
  { density: 44, word: 'medium', Icon: IconBaselineDensityMedium },
  { density: 60, word: 'high', Icon: IconBaselineDensityLarge },
] as const satisfies readonly { density: Density; word: string; Icon: unknown }[]

function DensityChoice({ shape }: { shape: Shape }) {
  const { t } = useTranslation()
  return (
    <fieldset className={classes.densities} aria-label={t('list.density.label')}>
      {DENSITIES.map(({ density, word, Icon }) => (
        <label key={density} title={t(`list.density.${word}`)}>
          <input
            type="radio"
            name="list-density"
            aria-label={t(`list.density.${word}`)}
            checked={shape.density === density}
            onChange={() => shape.choose(density)}
          />
          <Icon size={16} aria-hidden="true" />
        </label>
      ))}
    </fieldset>
  )
}
