import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let open: readonly HTMLDialogElement[] = []

const set = (next: readonly HTMLDialogElement[]) => {
  open = next
  for (const listener of listeners) listener()
}

/** A modal dialog is in front of what was open before, until the function that is returned is called. */
export function bringToFront(dialog: HTMLDialogElement) {
  set([...open, dialog])
  return () => set(open.filter((one) => one !== dialog))
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The modal dialog in front, if there is one: what stands elsewhere is behind it, and is neither used nor read out. */
export const useFrontDialog = () => useSyncExternalStore(subscribe, () => open.at(-1))
