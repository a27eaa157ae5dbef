import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { foldCase } from '#contracts/rules/reading/text.ts'
import type { Command } from '#web/lib/navigation/commands.ts'
import classes from './command-palette.module.css'
import { openModal } from './open-modal.ts'

type Found = Command

/** More than the number of pages. */
const MAX_RESULTS = 20

/** Returns commands that contain every word of the query, ignoring accents and case; matches at the beginning come first. */
export function search(commands: readonly Command[], query: string): Found[] {
  const words = foldCase(query).split(/\s+/).filter(Boolean)
  const matching = commands.filter(({ label, hint = '' }) => {
    const text = foldCase(`${label} ${hint}`)
    return words.every((word) => text.includes(word))
  })
  const rank = ({ label, isMany }: Command) => Number(words[0] === undefined ? isMany === true : !foldCase(label).startsWith(words[0]))
  return matching.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_RESULTS)
}

/** A search dialog for commands: a combobox with a listbox in a modal dialog. */
export default function CommandPalette({ commands, onClose }: { commands: readonly Command[]; onClose: () => void }) {
  const { t } = useTranslation()
  const list = useId()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const found = search(commands, query)
  const chosen = found[Math.min(at, found.length - 1)]
  const run = (command: Command | undefined) => {
    onClose()
    command?.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && found.length > 0) setAt((at + step + found.length) % found.length)
    if (event.key === 'Enter') run(chosen)
    // The browser's own close event arrives later and would also close a palette reopened meanwhile.
    if (event.key === 'Escape') onClose()
    if (step || event.key === 'Enter' || event.key === 'Escape') event.preventDefault()
  }
  const optionId = (command: Found) => `${list}-${command.id}`
  return (
    <dialog
      ref={openModal}
      className={classes.palette}
      aria-label={t('palette.label')}
      onClose={onClose}
      onMouseDown={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div className={classes.field}>
        <IconSearch size={18} aria-hidden="true" />
        <input
          autoFocus
          role="combobox"
          aria-label={t('palette.label')}
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={chosen && optionId(chosen)}
          placeholder={t('palette.placeholder')}
          value={query}
          onChange={({ target }) => {
            setQuery(target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={list} role="listbox" aria-label={t('palette.label')} className={classes.list}>
        {found.map((command) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys, as in every combobox
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          <div
            key={command.id}
            id={optionId(command)}
            role="option"
            aria-selected={command === chosen}
            className={classes.option}
            onClick={() => run(command)}
          >
            {command.icon}
            <span>{command.label}</span>
            {command.hint && <small>{command.hint}</small>}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p role="status" className={classes.none}>
          {t('palette.empty')}
        </p>
      )}
    </dialog>
  )
}
