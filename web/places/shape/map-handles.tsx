import L from 'leaflet'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { useMapStage } from '#web/map/map-context.ts'
import classes from './map-handles.module.css'

/** On touch screens one finger scrolls the form, and two move the map, so that the form does not get stuck at its map. */
export function TwoFingerPan() {
  const { t } = useTranslation()
  const { map } = useMapStage()
  useEffect(() => {
    if (window.matchMedia('(pointer: coarse)').matches) map.dragging.disable()
  }, [map])
  return <p className={classes.fingers}>{t('places.twoFingers')}</p>
}

/** Pixels per arrow key press: `near`, or `far` with Shift. */
const STEP_PX = { near: 8, far: 40 }
const ARROWS: Record<string, [number, number]> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }

type Key = { key: string; shiftKey: boolean; preventDefault(): void; stopPropagation(): void }

/** Where an arrow key moves a point of the map; null for other keys. */
export function moveByKey(map: L.Map, { lat, lng }: LatLng, event: Key): LatLng | null {
  const arrow = ARROWS[event.key]
  if (!arrow) return null
  event.preventDefault()
  event.stopPropagation()
  const step = event.shiftKey ? STEP_PX.far : STEP_PX.near
  const to = map.unproject(map.project([lat, lng]).add([arrow[0] * step, arrow[1] * step])).wrap()
  map.panInside([to.lat, to.lng], { padding: [60, 60] })
  return { lat: to.lat, lng: to.lng }
}

type HandleProps = {
  at: LatLng
  /** Called with the position while it is dragged; `isFirst` for the first one. */
  onDrag?: (to: LatLng, isFirst: boolean) => void
  /** Called with the position where it was dropped. */
  onDrop?: (to: LatLng) => void
  children: ReactNode
}

/** A draggable point of the map; its children are the visible handle. */
export function DragHandle({ at: { lat, lng }, onDrag, onDrop, children }: HandleProps) {
  const { map } = useMapStage()
  const [host] = useState(() => document.createElement('div'))
  const [isHeld, setHeld] = useState(false)
  const [marker] = useState(() =>
    L.marker([lat, lng], {
      icon: L.divIcon({ html: host, className: '', iconSize: [0, 0] }),
      keyboard: false,
      draggable: true,
      autoPan: true,
      zIndexOffset: 1000,
    }),
  )
  const readPosition = () => {
    const to = marker.getLatLng().wrap()
    return { lat: to.lat, lng: to.lng }
  }
  const drag = useEffectEvent((isFirst: boolean) => onDrag?.(readPosition(), isFirst))
  const drop = useEffectEvent(() => onDrop?.(readPosition()))
  useEffect(() => {
    let isFirst = true
    marker.on('dragstart', () => {
      isFirst = true
      setHeld(true)
    })
    marker.on('drag', () => {
      drag(isFirst)
      isFirst = false
    })
    marker.on('dragend', () => {
      setHeld(false)
      drop()
    })
    // A handle that hears clicks keeps them from the map below it.
    marker.on('click', () => {})
    marker.addTo(map)
    return () => void marker.off().remove()
  }, [map, marker])
  useEffect(() => {
    // While dragged, the handle follows the pointer, not its props.
    if (!isHeld) marker.setLatLng([lat, lng])
  }, [marker, isHeld, lat, lng])
  return createPortal(children, host)
}
