import { storage } from '#web/lib/storage.ts'
import { hostApp } from './host-app.ts'

let isOpen = false
const listeners = new Set<() => void>()

/** The list of the keyboard's shortcuts. None are offered inside a native app. */
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

/** Keys without Ctrl can be turned off: who dictates presses them by speaking (WCAG 2.1.4). */
export const singleKeys = {
  areOn: () => shortcuts.areOffered() && storage.get('singleKeys') !== 'off',
  turn: (on: boolean) => (on ? storage.remove('singleKeys') : storage.set('singleKeys', 'off')),
}

const TAKEN = 'input, textarea, select, [contenteditable], [role="slider"], [role="radio"], .leaflet-container'

/** Whether nobody else needs this key: no field, no map, no open dialog, no other key held. */
export const isFree = ({ defaultPrevented, ctrlKey, metaKey, altKey, target }: KeyboardEvent) =>
  singleKeys.areOn() &&
  !(defaultPrevented || ctrlKey || metaKey || altKey) &&
  !(target instanceof Element && target.closest(TAKEN)) &&
  document.querySelector('dialog[open]') === null
