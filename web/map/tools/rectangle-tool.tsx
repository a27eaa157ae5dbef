import { IconMarquee2 } from '@tabler/icons-react'
import L from 'leaflet'
import { useEffect, useRef, useState } from 'react'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { MapTool } from './map-tool.tsx'
import classes from './rectangle-tool.module.css'

type Props<T> = { label: string; points: readonly T[]; onPick: (inside: T[]) => void }

/** Picks the points in a rectangle, which is drawn with Shift or after a press of the button. */
export function RectangleTool<T extends LatLng>({ label, points, onPick }: Props<T>) {
  const { map } = useMapStage()
  const [isOn, setOn] = useState(false)
  const latest = useRef({ points, onPick })
  useEffect(() => {
    latest.current = { points, onPick }
  })
  useEffect(() => {
    // Leaflet zooms to a rectangle drawn with Shift.
    map.boxZoom.disable()
    return () => void map.boxZoom.enable()
  }, [map])
  useEffect(() => {
    const container = map.getContainer()
    container.toggleAttribute('data-drawing', isOn)
    if (isOn) map.dragging.disable()
    const stop = startDrawing(map, isOn, (bounds) => {
      setOn(false)
      if (!bounds) return
      const { points, onPick } = latest.current
      onPick(points.filter(({ lat, lng }) => bounds.contains([lat, lng])))
    })
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !isOn) return
      event.preventDefault()
      setOn(false)
    }
    document.addEventListener('keydown', onKeyDown, true)
    return () => {
      document.removeEventListener('keydown', onKeyDown, true)
      stop()
      container.removeAttribute('data-drawing')
      map.dragging.enable()
    }
  }, [map, isOn])
  return (
    <MapTool label={label} isPressed={isOn} onClick={() => setOn(!isOn)}>
      <IconMarquee2 size={20} />
    </MapTool>
  )
}

/** Pixels; a shorter drag is a click. */
const SHORTEST = 6

function startDrawing(map: L.Map, isOn: boolean, onDone: (bounds: L.LatLngBounds | null) => void) {
  const container = map.getContainer()
  let from: L.Point | null = null
  let box: HTMLElement | null = null
  const at = (event: PointerEvent) => map.mouseEventToContainerPoint(event)
  const onDown = (event: PointerEvent) => {
    if (!(isOn || event.shiftKey) || event.button !== 0 || !event.isPrimary) return
    event.preventDefault()
    event.stopPropagation()
    map.dragging.disable()
    from = at(event)
    container.setPointerCapture(event.pointerId)
  }
  const onMove = (event: PointerEvent) => {
    if (!from) return
    const to = at(event)
    if (!box) {
      box = document.createElement('div')
      box.className = classes.box ?? ''
      container.append(box)
    }
    const bounds = L.bounds(from, to)
    const { x, y } = bounds.getTopLeft()
    const size = bounds.getSize()
    Object.assign(box.style, { left: `${x}px`, top: `${y}px`, width: `${size.x}px`, height: `${size.y}px` })
  }
  const end = (event: PointerEvent, isDone: boolean) => {
    if (!from) return
    const to = at(event)
    const start = from
    from = null
    box?.remove()
    box = null
    if (!isOn) map.dragging.enable()
    const isDrawn = isDone && start.distanceTo(to) >= SHORTEST
    if (isDrawn || isOn) onDone(isDrawn ? L.latLngBounds(map.containerPointToLatLng(start), map.containerPointToLatLng(to)) : null)
  }
  const onUp = (event: PointerEvent) => end(event, true)
  const onCancel = (event: PointerEvent) => end(event, false)
  container.addEventListener('pointerdown', onDown, true)
  container.addEventListener('pointermove', onMove)
  container.addEventListener('pointerup', onUp)
  container.addEventListener('pointercancel', onCancel)
  return () => {
    box?.remove()
    container.removeEventListener('pointerdown', onDown, true)
    container.removeEventListener('pointermove', onMove)
    container.removeEventListener('pointerup', onUp)
    container.removeEventListener('pointercancel', onCancel)
  }
}
