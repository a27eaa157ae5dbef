import { useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router-dom'
import { storage } from '#web/lib/storage.ts'
import { useMedia } from '#web/lib/use-media.ts'
import { useMapLayout } from '#web/map/use-map-layout.ts'

/** Pixels. The list becomes a table from `table` on. */
export const WIDTH = { least: 320, usual: 420, table: 640, most: 900 } as const
/** Pixels of the rail, of the card, and of the map that stay visible next to a wide list. */
const [RAIL, CARD, MAP] = [72, 400, 320]

const DENSITIES = [32, 44, 60] as const
export type Density = (typeof DENSITIES)[number]

const onResize = (changed: () => void) => {
  window.addEventListener('resize', changed)
  return () => window.removeEventListener('resize', changed)
}

const clamp = (width: number, most: number) => Math.round(Math.max(WIDTH.least, Math.min(width, most)))

/**
 * Where list, map and card are in the current window. `three`: side by side; `two`: the card takes the place of the list; `sheet`: over the
 * map. On `/trackers` the list is as wide as the window, on a phone as high.
 */
export function useShape(hasCard: boolean) {
  const layout = useMapLayout()
  const isNarrowDesk = useMedia('(max-width: 1099px)')
  const isCoarse = useMedia('(pointer: coarse)')
  const isPhone = useMedia('(max-width: 768px)')
  const room = useSyncExternalStore(onResize, () => window.innerWidth) - (isPhone ? 0 : RAIL)
  const [wanted, setWanted] = useState(() => Number(storage.get('trackersWidth')) || WIDTH.usual)
  const [kept, setDensity] = useState(() => DENSITIES.find((density) => String(density) === storage.get('trackersDensity')))
  const isTablePage = /^\/trackers\/?$/.test(useLocation().pathname)
  const isFull = isTablePage && room >= WIDTH.table
  const arrangement = layout === 'wide' ? (isNarrowDesk ? 'two' : 'three') : layout === 'low' ? 'two' : 'sheet'
  const most = Math.min(WIDTH.most, room - MAP - (hasCard ? CARD : 0))
  const width = isFull ? room : arrangement === 'two' ? (layout === 'low' ? WIDTH.least : 360) : clamp(wanted, most)
  const isSheet = arrangement === 'sheet' && !isFull
  return {
    arrangement,
    isSheet,
    /** Without a map. */
    isFull,
    isRaised: isTablePage && isSheet,
    isTable: !isSheet && width >= WIDTH.table,
    hasMap: !isSheet,
    width,
    most,
    canResize: arrangement === 'three' && !isFull,
    resize(next: number) {
      setWanted(clamp(next, most))
      storage.set('trackersWidth', String(clamp(next, most)))
    },
    /** Pixels of a row; for fingers at least 44. */
    density: isCoarse && kept === 32 ? 44 : (kept ?? (isCoarse ? 60 : 44)),
    choose(density: Density) {
      setDensity(density)
      storage.set('trackersDensity', String(density))
    },
  } as const
}

export type Shape = ReturnType<typeof useShape>
