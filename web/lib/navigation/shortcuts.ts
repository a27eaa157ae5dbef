import { storage } from '#web/lib/storage.ts'
import { hostApp } from './host-app.ts'

let isOpen = false
const listeners = new Set<() => void>()

/** Whether the list of shortcuts is open. There are none inside a native app. */
export const shortcuts = {
  areOffered: () => !hostApp.isNative(),
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  isOpen: () => isOpen,
  show: (open: boolean) => {
    isOpen = open
    for (const listener of listeners) listener()
  },
}

/** Whether single-key shortcuts are on. They can be turned off because dictation software presses keys while speaking (WCAG 2.1.4). */
export const singleKeys = {
  areOn: () => shortcuts.areOffered() && storage.get('singleKeys') !== 'off',
  turn: (on: boolean) => (on ? storage.remove('singleKeys') : storage.set('singleKeys', 'off')),
}

const KEY_CONSUMERS = 'input, textarea, select, [contenteditable], [role="slider"], [role="radio"], .leaflet-container'

/** True when a key press is free for shortcuts: not in a field, on a map or in a dialog, and without a modifier. */
export const isFreeForShortcuts = ({ defaultPrevented, ctrlKey, metaKey, altKey, target }: KeyboardEvent) =>
  singleKeys.areOn() &&
  !(defaultPrevented || ctrlKey || metaKey || altKey) &&
  !(target instanceof Element && target.closest(KEY_CONSUMERS)) &&
  document.querySelector('dialog[open]') === null
