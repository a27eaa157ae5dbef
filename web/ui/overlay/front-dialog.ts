import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let open: readonly HTMLDialogElement[] = []

const set = (next: readonly HTMLDialogElement[]) => {
  open = next
  for (const listener of listeners) listener()
}

/** Puts a modal dialog on top of the stack; the returned function removes it. */
export function bringToFront(dialog: HTMLDialogElement) {
  set([...open, dialog])
  return () => set(open.filter((one) => one !== dialog))
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The topmost modal dialog. Content outside it is inert and not announced by screen readers. */
export const useFrontDialog = () => useSyncExternalStore(subscribe, () => open.at(-1))
