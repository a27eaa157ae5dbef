import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import type { Column } from '#web/ui/lists/data-table.tsx'
import classes from './choice.module.css'

type Options<T> = {
  rows: readonly T[]
  keyOf: (row: T) => string
  /** Rows for which it returns false have no box. */
  mayChoose?: (row: T) => boolean
  labelOf: (key: string) => string
  /** The most rows that the box of the head chooses. */
  most?: number
}

/** The rows that are chosen together, by key, and the column of their boxes; no column without a row to choose. */
export function useChoice<T>({ rows, keyOf, mayChoose = () => true, labelOf, most = rows.length }: Options<T>) {
  const { t } = useTranslation()
  const formats = useFormats()
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const choosable = rows.filter(mayChoose).map(keyOf)
  const all = choosable.slice(0, most)
  const chosen = choosable.filter((key) => marked.has(key))
  const areAll = all.every((key) => marked.has(key))
  const clear = () => setMarked(new Set())
  const toggle = (key: string) => setMarked(new Set(marked.has(key) ? chosen.filter((one) => one !== key) : [...chosen, key]))
  const column: Column<T> = {
    head: t('operator.actions'),
    headCell: (
      <label className={classes.all}>
        <span>{t('operator.workbench.chooseAll', { n: formats.number(all.length) })}</span>
        <input
          ref={(box) => {
            if (box) box.indeterminate = chosen.length > 0 && !areAll
          }}
          type="checkbox"
          className={classes.check}
          checked={areAll}
          onChange={() => (areAll ? clear() : setMarked(new Set([...chosen, ...all])))}
        />
      </label>
    ),
    isUnlabelled: true,
    isEnd: true,
    cell: (row) => {
      const key = keyOf(row)
      if (!mayChoose(row)) return null
      return (
        <input type="checkbox" className={classes.check} aria-label={labelOf(key)} checked={marked.has(key)} onChange={() => toggle(key)} />
      )
    },
  }
  return { chosen, clear, columns: choosable.length > 0 ? [column] : [] }
}

type BarProps = { count: number; onClear: () => void; children: ReactNode }

/** What can be done with the chosen rows; stays visible below a long table. Screen readers announce their number. */
export function ChosenBar({ count, onClear, children }: BarProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <div className={classes.chosen}>
      <strong role="status">{count > 0 && t('operator.stock.chosen', { n: formats.number(count) })}</strong>
      {count > 0 && (
        <>
          {children}
          <Button variant="default" h={44} onClick={onClear}>
            {t('operator.orders.together.none')}
          </Button>
        </>
      )}
    </div>
  )
}
