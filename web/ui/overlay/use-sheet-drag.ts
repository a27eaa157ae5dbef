import { type PointerEvent, useRef, useState } from 'react'

/** A shorter drag, in pixels, is a tap. */
const TAP_PX = 6

/** Index of the stop closest to `share`. */
export const nearestStop = (stops: readonly number[], share: number) =>
  stops.reduce((best, stop, index) => (Math.abs(stop - share) < Math.abs((stops[best] ?? 0) - share) ? index : best), 0)

/** Follows the pointer; `onRelease` receives the fraction of the container's height where it was released. */
export function useSheetDrag(resting: number, onRelease: (share: number) => void) {
  const [dragged, setDragged] = useState<number | null>(null)
  const start = useRef({ y: 0, height: 1, moved: false, isDown: false })
  const shareAt = (y: number) => Math.max(0.08, Math.min(1, resting + (start.current.y - y) / start.current.height))
  const release = ({ clientY }: PointerEvent) => {
    if (!start.current.isDown) return
    start.current.isDown = false
    setDragged(null)
    if (start.current.moved) onRelease(shareAt(clientY))
  }
  return {
    share: dragged ?? resting,
    isDragging: dragged !== null,
    wasDragged: () => start.current.moved,
    handle: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        const container = event.currentTarget.parentElement?.parentElement
        start.current = { y: event.clientY, height: container?.clientHeight || 1, moved: false, isDown: true }
        event.currentTarget.setPointerCapture?.(event.pointerId)
      },
      onPointerMove: ({ clientY }: PointerEvent) => {
        if (!start.current.isDown) return
        start.current.moved ||= Math.abs(clientY - start.current.y) > TAP_PX
        if (start.current.moved) setDragged(shareAt(clientY))
      },
      onPointerUp: release,
      onPointerCancel: release,
    },
  }
}
