import { IconList, IconLogout, IconMap2 } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useMemo, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { palette, useCommands, useOffered } from '#web/lib/commands.ts'

const CommandPalette = lazy(() => import('#web/ui/command-palette.tsx'))

const isShortcut = (event: KeyboardEvent) => (event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'k'

/** The command palette behind Ctrl K or ⌘K; screens add their own commands with `useCommands`. */
export function Palette() {
  const isOpen = useSyncExternalStore(palette.subscribe, palette.isOpen)
  usePages()
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
    <CommandPalette commands={useOffered()} onClose={() => palette.show(false)} />
  </Suspense>
)

function usePages() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const pages = useMemo(() => {
    const go = (path: string) => () => void navigate(path)
    return [
      { id: 'map', label: t('nav.map'), icon: <IconMap2 size={18} />, run: go('/') },
      { id: 'trackers', label: t('nav.trackers'), icon: <IconList size={18} />, run: go('/trackers') },
      { id: 'out', label: t('account.signOut'), icon: <IconLogout size={18} />, run: go('/logout') },
    ]
  }, [t, navigate])
  useCommands(pages)
}
