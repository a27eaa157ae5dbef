import { Button } from '@mantine/core'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { SortedTable } from './sorted-table.tsx'
import type { ValuedColumn } from './sorting.ts'

type Key = { id: number; label: string; created_at: string | null; last_used_at: string | null }

type TableProps<T extends Key> = {
  label: string
  keys: readonly T[]
  /** The head of the names. */
  name: string
  columns?: readonly ValuedColumn<T>[]
  sortName?: string
  endOf: (key: T) => string
  onEnd: (key: T) => void
}

/** Keys with their age and last use, each of which can be ended. */
export function KeyTable<T extends Key>({ label, keys, name, columns = [], sortName, endOf, onEnd }: TableProps<T>) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  return (
    <SortedTable<T>
      label={label}
      rows={keys}
      keyOf={({ id }) => id}
      {...(sortName && { sortName })}
      columns={[
        { head: name, sort: 'name', value: (key) => key.label, cell: (key) => key.label },
        ...columns,
        {
          head: t('operator.keys.made'),
          sort: 'made',
          value: ({ created_at }) => created_at,
          cell: ({ created_at }) => created_at && formats.date(created_at),
        },
        {
          head: t('operator.keys.used'),
          sort: 'used',
          value: ({ last_used_at }) => last_used_at,
          cell: ({ last_used_at }) => (last_used_at ? formats.age(last_used_at, now) : t('operator.staff.never')),
        },
        {
          head: t('operator.actions'),
          isUnlabelled: true,
          isEnd: true,
          cell: (key) => (
            <Button variant="default" size="xs" h={32} aria-label={endOf(key)} onClick={() => onEnd(key)}>
              {t('operator.keys.end')}
            </Button>
          ),
        },
      ]}
    />
  )
}

type EndProps = {
  title: string
  /** The sentence that it has ended. */
  done: string
  queryKey: QueryKey
  onEnd: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

export function EndKeyDialog({ title, done, queryKey, onEnd, onClose, children }: EndProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const end = async () => {
    await onEnd().catch(ignoreGone)
    showToast(done)
    await queries.invalidateQueries({ queryKey })
  }
  return (
    <ConfirmDialog title={title} action={t('operator.keys.end')} isDanger onConfirm={end} onClose={onClose}>
      {children}
    </ConfirmDialog>
  )
}
