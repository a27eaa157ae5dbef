import { type ReactNode, useEffect, useSyncExternalStore } from 'react'

/** Something the command palette can do: open a tracker, a page. */
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

/** All commands on offer now. */
export const useOffered = () => useSyncExternalStore(subscribe, () => commands)

/** Offers commands while the component is there; keep the list stable with useMemo. */
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

/** Whether the palette is open, for the layout that holds it. */
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
