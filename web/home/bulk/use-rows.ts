import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { loadChunk } from '#web/lib/chunk.ts'
import type { Latest } from './row-events.ts'
import type { Ticked } from './use-ticked.ts'

/**
 * Ties the rows of trackers within an element to keys, to ticks and to the pins on the map: j and k move, x ticks, Escape ticks none, Enter
 * opens the card, b, l and s open a dialog on it. Returns the ref of the element. Loaded after the list, which works without it.
 */
export function useRows(ticked: Ticked | undefined) {
  const list = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const latest = useRef<Latest>({ ticked, navigate })
  useEffect(() => {
    latest.current = { ticked, navigate }
  })
  useEffect(() => {
    const element = list.current
    if (!element) return
    let detach: (() => void) | null = () => undefined
    loadChunk(() => import('./row-events.ts')).then(
      ({ attachRows }) => {
        if (detach) detach = attachRows(element, latest)
      },
      () => undefined,
    )
    return () => {
      detach?.()
      detach = null
    }
  }, [])
  return list
}
