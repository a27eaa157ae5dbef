import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { storage, tryOrNull } from '#web/lib/storage.ts'
import { sessionQuery } from '#web/operator/session/session.queries.ts'
import { isSignedIn } from '#web/operator/session/session-state.ts'
import { type Column, DataTable, type TableSorting, useIsCards } from '#web/ui/lists/data-table.tsx'
import classes from './workbench.module.css'

/** `id` names a column that can be hidden, whatever the language. `isExtra`: hidden while the details of a row, which show it, are open. */
export type WorkColumn<T> = Column<T> & { id?: string; isExtra?: true }

type Props<T> = Omit<ComponentProps<typeof DataTable<T>>, 'columns'> & { name: string; columns: readonly WorkColumn<T>[] }

/** A table of which each member of staff chooses the columns; the browser keeps the choice. */
export function WorkTable<T>({ name, columns, ...table }: Props<T>) {
  const { t } = useTranslation()
  const { data: session } = useQuery({ ...sessionQuery(), enabled: false })
  const place = `${isSignedIn(session) ? session.staff.id : ''} ${name}`
  const [hidden, setHidden] = useState(() => readHidden()[place] ?? [])
  const isOpen = table.chosen !== undefined
  const visible = columns.filter(({ id, isExtra }) => !(id && hidden.includes(id)) && !(isOpen && isExtra))
  const isCards = useIsCards(visible.length, true)
  const choices = columns.flatMap(({ id, head }) => (id ? [{ id, head }] : []))
  const toggle = (id: string) => {
    const changed = hidden.includes(id) ? hidden.filter((one) => one !== id) : [...hidden, id]
    setHidden(changed)
    storage.set('consoleColumns', JSON.stringify({ ...readHidden(), [place]: changed }))
  }
  return (
    <>
      <div className={classes.tools}>
        {isCards && table.sorting && <SortSelect columns={columns} sorting={table.sorting} />}
        <details className={classes.choice} onKeyDown={closeOnEscape}>
          <summary>{t('operator.workbench.columns')}</summary>
          <fieldset aria-label={t('operator.workbench.columns')}>
            {choices.map(({ id, head }) => (
              <label key={id}>
                <input type="checkbox" checked={!hidden.includes(id)} onChange={() => toggle(id)} />
                {head}
              </label>
            ))}
          </fieldset>
        </details>
      </div>
      <DataTable {...table} isBeside columns={visible} />
    </>
  )
}

/** Cards have no heads to sort by. */
function SortSelect<T>({ columns, sorting: { sort, onSort } }: { columns: readonly WorkColumn<T>[]; sorting: TableSorting }) {
  const { t } = useTranslation()
  const options = columns.flatMap(({ head, sort: name }) =>
    name === undefined ? [] : [name, `-${name}`].map((value) => ({ head, value })),
  )
  return (
    <select className={classes.sort} aria-label={t('operator.workbench.sort')} value={sort} onChange={({ target }) => onSort(target.value)}>
      {options.some(({ value }) => value === sort) || <option value={sort}>{t('operator.workbench.sort')}</option>}
      {options.map(({ head, value }) => (
        <option key={value} value={value}>
          {t(`operator.workbench.${value.startsWith('-') ? 'descending' : 'ascending'}`, { column: head })}
        </option>
      ))}
    </select>
  )
}

/** The hidden columns of each table, by member of staff and name. What another release has stored may look different. */
function readHidden(): Record<string, string[]> {
  const stored: unknown = tryOrNull(() => JSON.parse(storage.get('consoleColumns') ?? '{}'))
  if (typeof stored !== 'object' || stored === null) return {}
  return Object.fromEntries(Object.entries(stored).filter(([, ids]) => Array.isArray(ids)))
}

/** Closes the choice, and not the details next to the table. */
function closeOnEscape(event: KeyboardEvent<HTMLDetailsElement>) {
  if (event.key !== 'Escape' || !event.currentTarget.open) return
  event.stopPropagation()
  event.currentTarget.open = false
  event.currentTarget.querySelector('summary')?.focus()
}
