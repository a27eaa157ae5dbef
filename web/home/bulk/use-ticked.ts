import { useState } from 'react'
import type { Device } from '#contracts/trackers/devices.ts'

/**
 * Which of the listed trackers are ticked. A tracker that leaves the list, because of a filter for instance, is no longer among the ticked
 * ones, so that a change never meets a tracker that is not seen.
 */
export function useTicked(shown: readonly Device[]) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const [last, setLast] = useState<number | null>(null)
  const ticked = ids.size === 0 ? [] : shown.filter(({ id }) => ids.has(id))
  const put = (changed: readonly number[], isOn: boolean) => {
    const next = new Set(ticked.map(({ id }) => id))
    for (const id of changed) {
      if (isOn) next.add(id)
      else next.delete(id)
    }
    setIds(next)
  }
  return {
    ticked,
    isTicked: (id: number) => ids.has(id),
    /** With `isRange` also every tracker between this one and the one ticked before. */
    toggle(id: number, isRange = false) {
      const at = shown.findIndex((device) => device.id === id)
      const from = isRange ? shown.findIndex((device) => device.id === last) : -1
      const range = from < 0 ? [id] : shown.slice(Math.min(from, at), Math.max(from, at) + 1).map((device) => device.id)
      put(range, !ids.has(id))
      setLast(id)
    },
    add: (more: readonly number[]) => put(more, true),
    toggleAll: () => setIds(ticked.length === shown.length ? new Set() : new Set(shown.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  }
}

export type Ticked = ReturnType<typeof useTicked>
