import { useSyncExternalStore } from 'react'
import { onSessionEnd } from '#web/lib/session.ts'

/** A short message that disappears by itself; `undo` adds a button. */
type Toast = { id: number; text: string; undo?: (() => void) | undefined }

const SHOWN_MS = 6000
const listeners = new Set<() => void>()
let toasts: readonly Toast[] = []
let lastId = 0

const setToasts = (next: readonly Toast[]) => {
  toasts = next
  for (const listener of listeners) listener()
}

export const dismissToasts = (isMeant: (toast: Toast) => boolean) => setToasts(toasts.filter((toast) => !isMeant(toast)))

export const dismissToast = (id: number) => dismissToasts((toast) => toast.id === id)

// An undo by the next user would revert another person's change.
onSessionEnd(() => dismissToasts(({ undo }) => undo !== undefined))

export function showToast(text: string, undo?: () => void) {
  const id = ++lastId
  setToasts([...toasts.slice(-2), { id, text, undo }])
  setTimeout(() => dismissToast(id), SHOWN_MS)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useToasts = () => useSyncExternalStore(subscribe, () => toasts)
