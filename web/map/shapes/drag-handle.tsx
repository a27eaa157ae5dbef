import L from 'leaflet'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { useMapStage } from '#web/map/map-context.ts'

/** A draggable point of the map; its children are the visible handle. */
export function DragHandle({ at: { lat, lng }, onDrag, children }: { at: LatLng; onDrag: (to: LatLng) => void; children: ReactNode }) {
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
  const tell = useEffectEvent(() => {
    const to = marker.getLatLng().wrap()
    onDrag({ lat: to.lat, lng: to.lng })
  })
  useEffect(() => {
    marker.on('dragstart', () => setHeld(true))
    marker.on('drag', () => tell())
    marker.on('dragend', () => setHeld(false))
    marker.addTo(map)
    return () => void marker.off().remove()
  }, [map, marker])
  useEffect(() => {
    // While dragged, the handle follows the pointer, not its props.
    if (!isHeld) marker.setLatLng([lat, lng])
  }, [marker, isHeld, lat, lng])
  return createPortal(children, host)
}
