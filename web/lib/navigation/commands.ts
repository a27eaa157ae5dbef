import { type ReactNode, useEffect, useSyncExternalStore } from 'react'

/** `isMany`: one of possibly many of its kind, which come after the pages until something is typed. */
export type Command = { id: string; label: string; hint?: string; icon?: ReactNode; isMany?: true; run: () => void }

let commands: readonly Command[] = []
const listeners = new Set<() => void>()
const lists = new Map<symbol, readonly Command[]>()

const updateCommands = () => {
  commands = [...lists.values()].flat()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useAvailableCommands = () => useSyncExternalStore(subscribe, () => commands)

/** Adds commands while the component is mounted; memoize the list with useMemo. */
export function useCommands(list: readonly Command[]) {
  useEffect(() => {
    const key = Symbol('commands')
    lists.set(key, list)
    updateCommands()
    return () => {
      lists.delete(key)
      updateCommands()
    }
  }, [list])
}

let isOpen = false
const paletteListeners = new Set<() => void>()

/** Whether the palette is open, as an external store for the layout that renders it. */
export const palette = {
  subscribe: (listener: () => void) => {
    paletteListeners.add(listener)
    return () => void paletteListeners.delete(listener)
  },
  isOpen: () => isOpen,
  show: (open: boolean) => {
    isOpen = open
    for (const listener of paletteListeners) listener()
  },
}
