import { lazy, Suspense, useSyncExternalStore } from 'react'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { shortcuts } from '#web/lib/navigation/shortcuts.ts'
import { useSingleKeys } from './use-single-keys.ts'

const ShortcutList = lazy(async () => (await Promise.all([import('./shortcut-list.tsx'), loadWords(['shortcuts'])]))[0])

/** The global shortcuts, and their list behind ? and the account menu. */
export function Shortcuts() {
  useSingleKeys()
  const isOpen = useSyncExternalStore(shortcuts.subscribe, shortcuts.isOpen)
  return isOpen ? (
    <Suspense>
      <ShortcutList onClose={() => shortcuts.show(false)} />
    </Suspense>
  ) : null
}
