import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { palette } from '#web/lib/navigation/commands.ts'
import classes from './search-field.module.css'

type Props = { browse: { query: string; setQuery: (query: string) => void }; isFloating?: boolean; isLong?: boolean; onFocus?: () => void }

const isMac = /Mac|iP(hone|ad)/.test(navigator.platform)

/** Filters the trackers while typing; the key hint next to it opens the command palette. */
export function SearchField({ browse: { query, setQuery }, isFloating = false, isLong = false, onFocus }: Props) {
  const { t } = useTranslation()
  const field = useFindKey(isLong)
  return (
    <search className={classes.search} data-floating={isFloating || undefined}>
      <IconSearch size={18} aria-hidden="true" />
      <input
        ref={field}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        aria-label={t('trackers.search')}
        placeholder={isFloating ? t('trackers.searchShort') : t('trackers.search')}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && setQuery('')}
        onFocus={onFocus}
      />
      {query && (
        <button type="button" className={classes.clear} aria-label={t('trackers.clear')} onClick={() => setQuery('')}>
          <IconX size={16} />
        </button>
      )}
      {!query && !isFloating && (
        <button type="button" className={classes.key} aria-label={t('palette.placeholder')} onClick={() => palette.show(true)}>
          {isMac ? '⌘K' : 'Ctrl K'}
        </button>
      )}
    </search>
  )
}

/**
 * On a page with a long list Ctrl F or ⌘F focuses its search field, because the browser would search only the rendered rows. In the field
 * it opens the browser's own search. Returns the ref of the field.
 */
export function useFindKey(isWanted: boolean) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!isWanted) return
    const onKeyDown = (event: KeyboardEvent) => {
      const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'f'
      if (!isFind || !field.current || document.activeElement === field.current || document.querySelector('dialog[open]')) return
      event.preventDefault()
      field.current.select()
      field.current.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [isWanted])
  return field
}
