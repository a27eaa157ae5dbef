import L from 'leaflet'
import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { glide } from './glide.ts'

const GLIDE_MS = 1200

/** Renders React children at a place on the map, centred on it; glides when `at` changes. */
export function MapMarker({ at, rise = 0, children }: { at: LatLng; rise?: number; children: ReactNode }) {
  const { map } = useMapStage()
  const [host] = useState(() => document.createElement('div'))
  const [marker] = useState(() =>
    L.marker([at.lat, at.lng], {
      icon: L.divIcon({ html: host, className: '', iconSize: [0, 0] }),
      keyboard: false,
      interactive: false,
    }),
  )
  useEffect(() => {
    marker.addTo(map)
    L.DomEvent.disableClickPropagation(host)
    return () => void marker.remove()
  }, [map, marker, host])
  useEffect(() => {
    const { lat, lng } = marker.getLatLng()
    return glide({ lat, lng }, { lat: at.lat, lng: at.lng }, GLIDE_MS, (to) => marker.setLatLng([to.lat, to.lng]))
  }, [marker, at.lat, at.lng])
  useEffect(() => void marker.setZIndexOffset(rise), [marker, rise])
  return createPortal(children, host)
}
