import { type ReactNode, useEffect, useSyncExternalStore } from 'react'

/** An action in the command palette, such as opening a tracker or a page. */
export type Command = { id: string; label: string; hint?: string; icon?: ReactNode; run: () => void }

let commands: readonly Command[] = []
const listeners = new Set<() => void>()
const offered = new Map<symbol, readonly Command[]>()

const tell = () => {
  commands = [...offered.values()].flat()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** All commands currently available. */
export const useOffered = () => useSyncExternalStore(subscribe, () => commands)

/** Adds commands while the component is mounted; memoize the list with useMemo. */
export function useCommands(list: readonly Command[]) {
  useEffect(() => {
    const key = Symbol('commands')
    offered.set(key, list)
    tell()
    return () => {
      offered.delete(key)
      tell()
    }
  }, [list])
}

let isOpen = false
const openings = new Set<() => void>()

/** Whether the palette is open, as an external store for the layout that renders it. */
export const palette = {
  subscribe: (listener: () => void) => {
    openings.add(listener)
    return () => void openings.delete(listener)
  },
  isOpen: () => isOpen,
  show: (open: boolean) => {
    isOpen = open
    for (const listener of openings) listener()
  },
}
