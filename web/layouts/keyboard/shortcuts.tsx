import { IconKeyboard, IconLogout } from '@tabler/icons-react'
import { Suspense, useEffect, useMemo, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { ACCOUNT_GROUPS, MAIN_SECTIONS, useSectionFilter } from '#web/layouts/navigation/sections.tsx'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { palette, useAvailableCommands, useCommands } from '#web/lib/navigation/commands.ts'
import { isFreeForShortcuts, shortcuts } from '#web/lib/navigation/shortcuts.ts'
import { hasFeature } from '#web/lib/other-backends/features.ts'

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

const CommandPalette = lazy(() => import('#web/ui/overlay/command-palette.tsx'))

const isShortcut = (event: KeyboardEvent) => (event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'k'

/** The command palette behind Ctrl K or ⌘K; screens add commands with `useCommands`. */
export function Palette() {
  const isOpen = useSyncExternalStore(palette.subscribe, palette.isOpen)
  usePages(isOpen)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return
      event.preventDefault()
      palette.show(true)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  return isOpen ? <Open /> : null
}

const Open = () => (
  <Suspense>
    <CommandPalette commands={useAvailableCommands()} onClose={() => palette.show(false)} />
  </Suspense>
)

function usePages(isOpen: boolean) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const allowed = useSectionFilter(isOpen)
  const sections = allowed([...MAIN_SECTIONS, ...ACCOUNT_GROUPS.flatMap((group) => group.sections)])
  const known = sections.map(({ to }) => to).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `known` identifies the sections, which are new objects on each render
  const pages = useMemo(() => {
    const go = (path: string) => () => void navigate(path)
    return [
      ...sections.map(({ to, word, Icon }) => ({ id: to, label: t(word), icon: <Icon size={18} />, run: go(to) })),
      ...(shortcuts.areOffered()
        ? [{ id: 'shortcuts', label: t('nav.shortcuts'), icon: <IconKeyboard size={18} />, run: () => shortcuts.show(true) }]
        : []),
      { id: 'out', label: t('account.signOut'), icon: <IconLogout size={18} />, run: go('/logout') },
    ]
  }, [t, navigate, known])
  useCommands(pages)
}
