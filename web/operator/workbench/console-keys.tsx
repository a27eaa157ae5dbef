import { IconKeyboard } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type NavigateFunction, useNavigate } from 'react-router-dom'
import type { KeyGroup } from '#web/layouts/keyboard/shortcut-list.tsx'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { singleKeys } from '#web/lib/navigation/shortcuts.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

const ShortcutList = lazy(
  async () => (await Promise.all([import('#web/layouts/keyboard/shortcut-list.tsx'), loadWords(['extras', 'inside'])]))[0],
)

/**
 * The keys of the console, for the tables of all its screens: `j`, `k` and the arrows move through rows, `x` ticks one, `a` all, `/` searches, `?` lists
 * the keys. They work on rows with `data-key`, the first link of which opens a row.
 */
export function ConsoleKeys() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isListed, setListed] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isFree(event)) return
      const act = event.key === '?' ? () => setListed(true) : findAct(event, navigate)
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [navigate])
  return (
    <>
      <IconButton label={t('operator.workbench.keys')} Icon={IconKeyboard} onClick={() => setListed(true)} />
      {isListed && (
        <Suspense>
          <ShortcutList listGroups={listGroups} onClose={() => setListed(false)} />
        </Suspense>
      )}
    </>
  )
}

const listGroups = (t: TFunction): KeyGroup[] => [
  {
    title: t('operator.workbench.tables'),
    rows: [
      { label: t('operator.workbench.move'), keys: ['J', 'K'], between: 'or' },
      { label: t('operator.workbench.open'), keys: ['Enter'] },
      { label: t('operator.workbench.pick'), keys: ['X'] },
      { label: t('operator.workbench.pickAll'), keys: ['A'] },
    ],
  },
  {
    title: t('shortcuts.everywhere'),
    rows: [
      { label: t('shortcuts.search'), keys: ['/'] },
      { label: t('shortcuts.list'), keys: ['?'] },
      { label: t('operator.workbench.close'), keys: ['Esc'] },
    ],
  },
]

const TYPED_INTO = 'input:not([type="checkbox"]), textarea, select, [contenteditable]'

/** Whether a key is free: nobody types, no dialog is open, and single keys are not turned off. */
export const isFree = ({ defaultPrevented, key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) =>
  !(defaultPrevented || ctrlKey || metaKey || altKey) &&
  (key.length > 1 || singleKeys.areOn()) &&
  !(target instanceof Element && target.closest(TYPED_INTO)) &&
  document.querySelector('dialog[open]') === null

function findAct({ key, target }: KeyboardEvent, navigate: NavigateFunction) {
  const field = key === '/' && document.querySelector<HTMLInputElement>('#screen search input')
  if (field)
    return () => {
      field.focus()
      field.select()
    }
  const isInTable = target instanceof Element && target.closest('table') !== null
  const step = { j: 1, k: -1, ...(isInTable && { ArrowDown: 1, ArrowUp: -1 }) }[key]
  const rows = listRows()
  const current = rows.findIndex(({ dataset }) => dataset.chosen) + 1 || rows.findIndex((row) => row.contains(document.activeElement)) + 1
  if (step) {
    const row = rows[Math.min(Math.max(current - 1 + step, 0), rows.length - 1)]
    return row && (() => focusRow(row, navigate))
  }
  const heads = [rows[0]?.closest('table')?.tHead, ...document.querySelectorAll('#screen thead')]
  const boxes = key === 'x' ? [rows[current - 1]] : key === 'a' ? heads : []
  const box = boxes.map((part) => part?.querySelector<HTMLInputElement>('input[type="checkbox"]')).find(Boolean)
  return box ? () => box.click() : undefined
}

/** The rows of the table with the focus, else of that with an open row, else of the first one. */
function listRows() {
  const screen = document.getElementById('screen')
  const row =
    document.activeElement?.closest('tr[data-key]') ?? screen?.querySelector('tr[data-chosen]') ?? screen?.querySelector('tr[data-key]')
  return [...(row?.closest('table')?.querySelectorAll<HTMLElement>('tr[data-key]') ?? [])]
}

/** Also opens the row, if its details are shown next to the table. */
function focusRow(row: HTMLElement, navigate: NavigateFunction) {
  const link = row.querySelector<HTMLAnchorElement>('a[href]')
  if (!link) row.tabIndex = -1
  ;(link ?? row).focus()
  if (!link || row.dataset.chosen) return
  const { pathname, search } = new URL(link.href)
  if (pathname === window.location.pathname) navigate(pathname + search, { replace: true })
}
