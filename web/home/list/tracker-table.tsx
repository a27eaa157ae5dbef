import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type MouseEvent, memo, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import { displayType } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import type { Ticked } from '#web/home/bulk/use-ticked.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { BatteryGlyph } from '#web/trackers/parts/battery-glyph.tsx'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { StateDot } from '#web/trackers/parts/state-dot.tsx'
import { TagChip } from '#web/trackers/parts/tag-chip.tsx'
import { attentionReasons, lastContact, stateGroup, trackerState } from '#web/trackers/state.ts'
import { addressWords, stateWords, subscriptionFact } from '#web/trackers/tracker-words.ts'
import { isLong, LongRows } from '#web/ui/lists/long-rows.tsx'
import { columnsOf } from './columns.ts'
import { type ColumnId, nextSort, type SortKey } from './list-view.ts'
import classes from './tracker-table.module.css'
import type { Browse } from './use-browse.ts'
import type { Shape } from './use-shape.ts'

/** Shares of the width, so that rows that come and go while scrolling move no column. */
const SHARES: Record<ColumnId | 'name', number> = {
  name: 22,
  where: 22,
  state: 20,
  age: 14,
  battery: 15,
  event: 18,
  ends: 16,
  tag: 12,
  model: 16,
  owner: 24,
}

/** Columns whose values are compared by their ends. */
const NUMBERS: readonly string[] = ['age', 'battery', 'ends']

/** `ticked` is undefined for a user who may not tick. */
type Props = { browse: Browse; shape: Shape; chosen: number | undefined; ticked: Ticked | undefined }

export default function TrackerTable({ browse, shape: { density }, chosen, ticked }: Props) {
  const { t } = useTranslation()
  const { view, change, rows, now } = browse
  const columns = columnsOf(browse)
  const shown = ['name', ...columns] as const
  const sum = shown.reduce((total, column) => total + SHARES[column], 0)
  const sortBy = (key: SortKey, { shiftKey }: MouseEvent) => change({ sort: nextSort(view.sort, key, shiftKey) })
  return (
    <table
      className={classes.table}
      aria-labelledby="trackers-title"
      data-density={density}
      {...(isLong(rows) && { 'aria-rowcount': rows.length + 1 })}
    >
      <colgroup>
        {shown.map((column) => (
          <col key={column} style={{ width: `${(100 * SHARES[column]) / sum}%` }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={isLong(rows) ? 1 : undefined}>
          {shown.map((column) => (
            <Head key={column} column={column} browse={browse} onSort={sortBy}>
              {column === 'name' && ticked && (
                <input
                  type="checkbox"
                  className={classes.tickAll}
                  aria-label={t('list.bulk.all')}
                  checked={ticked.ticked.length > 0 && ticked.ticked.length === browse.shown.length}
                  onChange={ticked.toggleAll}
                />
              )}
            </Head>
          ))}
        </tr>
      </thead>
      <tbody>
        <LongRows items={rows} as="tr" rowHeight={density} chosen={chosen}>
          {(row, attributes) =>
            'head' in row ? (
              <tr {...attributes} className={classes.group}>
                <th scope="rowgroup" colSpan={shown.length}>
                  {row.head} <span>{row.count}</span>
                </th>
              </tr>
            ) : (
              <tr
                {...attributes}
                className={classes.line}
                data-group={stateGroup(row.device, now)}
                aria-current={row.id === chosen ? 'true' : undefined}
                data-ticked={ticked?.isTicked(row.id) || undefined}
              >
                <Cells
                  device={row.device}
                  now={now}
                  place={browse.placeOf(row.device)}
                  owner={browse.owners?.get(row.id)}
                  columns={columns.join()}
                  isLow={density < 44}
                  isChosen={row.id === chosen}
                  isTicked={ticked?.isTicked(row.id)}
                />
              </tr>
            )
          }
        </LongRows>
      </tbody>
    </table>
  )
}

type HeadProps = { column: ColumnId | 'name'; browse: Browse; onSort: (key: SortKey, event: MouseEvent) => void; children?: ReactNode }

function Head({ column, browse: { view }, onSort, children }: HeadProps) {
  const { t } = useTranslation()
  const label = t(`list.column.${column}`)
  const isNumber = NUMBERS.includes(column) || undefined
  if (column === 'model')
    return (
      <th scope="col" data-number={isNumber}>
        {label}
      </th>
    )
  const at = view.sort.findIndex(({ key }) => key === column)
  const sort = view.sort[at]
  const Arrow = sort?.isDescending ? IconArrowDown : IconArrowUp
  return (
    <th scope="col" data-number={isNumber} aria-sort={sort ? (sort.isDescending ? 'descending' : 'ascending') : undefined}>
      <button type="button" title={t('list.sortHint')} onClick={(event) => onSort(column, event)}>
        {label}
        {sort && <Arrow size={14} aria-hidden="true" />}
        {sort && view.sort.length > 1 && <sup>{at + 1}</sup>}
      </button>
      {children}
    </th>
  )
}

type CellsProps = {
  device: Device
  now: Date
  place: string | undefined
  owner: string | undefined
  /** Comma-separated, so that equal columns are equal. */
  columns: string
  isLow: boolean
  isChosen: boolean
  /** Undefined for a user who may not tick. */
  isTicked: boolean | undefined
}

const Cells = memo(function Cells({ device, now, place, owner, columns, isLow, isChosen, isTicked }: CellsProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isChosen) link.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  const cells: Record<ColumnId, () => ReactNode> = {
    where: () => <Text of={place ?? addressWords(device)} title={addressWords(device)} />,
    state: () => <StateCell device={device} now={now} />,
    age: () => <Text of={lastContact(device) && formats.age(lastContact(device), now)} />,
    battery: () => <BatteryGlyph device={device} />,
    event: () => {
      const { last_event: event } = device.tracker_status
      const known = EVENT_TYPES.find((type) => type === event?.type)
      const words = event && [known ? t(`events.${known}`) : event.type, formats.age(event.datetime, now)].join(' · ')
      return <Text of={words} />
    },
    ends: () => {
      const { label, value } = subscriptionFact(t, formats, device, now)
      return <Text of={value} title={`${label}: ${value}`} />
    },
    tag: () => device.tag && <TagChip tag={device.tag} />,
    model: () => <Text of={t(`types.${displayType(device)}`)} />,
    owner: () => <Text of={owner} />,
  }
  return (
    <>
      <th scope="row">
        <span className={classes.who}>
          <KindDisc of={device} size={isLow ? 24 : 32} />
          <Link ref={link} to={`/trackers/${encodeURIComponent(device.id)}`} data-tracker={device.id} data-fit>
            {device.name}
          </Link>
          {isTicked !== undefined && (
            <input
              type="checkbox"
              className={classes.tick}
              aria-label={t('list.bulk.choose', { name: device.name })}
              data-tick={device.id}
              checked={isTicked}
              readOnly
            />
          )}
        </span>
      </th>
      {(columns.split(',').filter(Boolean) as ColumnId[]).map((column) => (
        <td key={column} data-number={NUMBERS.includes(column) || undefined}>
          {cells[column]()}
        </td>
      ))}
    </>
  )
})

const Text = ({ of, title }: { of: string | null | undefined; title?: string | null | undefined }) => (
  <span className={classes.text} title={title ?? of ?? undefined} data-fit>
    {of}
  </span>
)

/** Reasons for attention that the state says itself. */
const SAID: readonly string[] = ['silent', 'deactivated', 'notActivated']

/** The state, and why the tracker needs attention. */
function StateCell({ device, now }: { device: Device; now: Date }) {
  const { t } = useTranslation()
  const state = stateWords(t, device, now)
  const reasons = attentionReasons(device, now).filter((reason) => !SAID.includes(reason))
  const words = [...new Set([state, ...reasons.map((reason) => t(`attention.${reason}`))])].join(' · ')
  return (
    <span className={classes.state} title={words}>
      <StateDot state={trackerState(device, now)} />
      <span className={classes.text} data-fit>
        {words}
      </span>
    </span>
  )
}
