import { useEffect } from 'react'
import { useMapStage } from '#web/map/map-context.ts'
import type { Path } from './path.ts'
import { SPEED_COLOURS } from './speed-colours.ts'
import { createTrackLayer } from './track-layer.ts'
import { usePaint } from './use-paint.ts'

type Props = {
  /** Memoized with useMemo, as `speed`. */
  path: Path
  /** The part from point `first` to point `last`. */
  first?: number
  last?: number
  /** Colours the trace by speed: km/h at each point, and the speed that gets the last colour. */
  speed?: { kmh: ArrayLike<number>; top: number } | undefined
  token?: `--${string}`
  weight?: number
}

/** Above the tiles, below circles and pins. */
const PANE = 'traces'
const Z_INDEX = '350'

/** A track on the map, with a light edge for contrast on any street. */
export function Trace({ path, first = 0, last = path.length - 1, speed, token = '--accent', weight = 4 }: Props) {
  const { map } = useMapStage()
  const { paint } = usePaint(map)
  useEffect(() => {
    if (last <= first) return
    if (!map.getPane(PANE)) {
      const pane = map.createPane(PANE)
      pane.style.zIndex = Z_INDEX
      pane.style.pointerEvents = 'none'
    }
    const colours = speed ? SPEED_COLOURS : [paint(token)]
    const layer = createTrackLayer({ path, first, last, weight, edge: paint('--bg'), colours, speed }, PANE).addTo(map)
    return () => void layer.remove()
  }, [map, paint, path, first, last, speed, token, weight])
  return null
}
