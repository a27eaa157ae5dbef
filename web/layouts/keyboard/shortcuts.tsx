import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router-dom'
import { MAIN_SECTIONS } from '#web/layouts/navigation/sections.tsx'
import { hasFeature } from '#web/lib/api/features.ts'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { palette } from '#web/lib/navigation/commands.ts'
import { isFreeForShortcuts, shortcuts } from '#web/lib/navigation/shortcuts.ts'

const SECOND_KEY_MS = 1500

/** Focuses the search field of the page, or opens the palette on a page without one. */
function openSearch() {
  const field = document.querySelector<HTMLInputElement>('main search input')
  if (!field) return palette.show(true)
  field.focus()
  field.select()
}

/** Handles ? (list of shortcuts), / (search), and G followed by a letter (open a section). */
function useSingleKeys() {
  const navigate = useNavigate()
  useEffect(() => {
    let goingSince = Number.NEGATIVE_INFINITY
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isFreeForShortcuts(event)) return
      const section =
        event.timeStamp - goingSince < SECOND_KEY_MS &&
        MAIN_SECTIONS.find(({ letter, feature }) => letter === event.key.toLowerCase() && hasFeature(feature))
      goingSince = event.key.toLowerCase() === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      const act = section ? () => void navigate(section.to) : { '?': () => shortcuts.show(true), '/': openSearch }[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [navigate])
}

const ShortcutList = lazy(async () => (await Promise.all([import('./shortcut-list.tsx'), loadWords(['extras'])]))[0])

export function Shortcuts() {
  useSingleKeys()
  const isOpen = useSyncExternalStore(shortcuts.subscribe, shortcuts.isOpen)
  return isOpen ? (
    <Suspense>
      <ShortcutList onClose={() => shortcuts.show(false)} />
    </Suspense>
  ) : null
}
