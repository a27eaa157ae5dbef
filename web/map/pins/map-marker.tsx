import L from 'leaflet'
import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { placeOn } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'

/** Longer moves jump, because a glide would show a route that nobody took. */
const FARTHEST_DEGREES = 0.02

/** Animates from one place to another within `ms`, calling `place` on each frame; returns a function that stops it. */
export function glide(from: LatLng, to: LatLng, ms: number, place: (at: LatLng) => void): () => void {
  const isFar = Math.abs(to.lat - from.lat) + Math.abs(to.lng - from.lng) > FARTHEST_DEGREES
  if (isFar || window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
    place(to)
    return () => undefined
  }
  let frame = 0
  let began: number | null = null
  const step = (time: number) => {
    began ??= time
    const done = Math.min(1, (time - began) / ms)
    const eased = done * done * (3 - 2 * done)
    place({ lat: from.lat + (to.lat - from.lat) * eased, lng: from.lng + (to.lng - from.lng) * eased })
    if (done < 1) frame = requestAnimationFrame(step)
  }
  frame = requestAnimationFrame(step)
  return () => cancelAnimationFrame(frame)
}

const GLIDE_MS = 1200

/** Renders React children at a place on the map, centred on it; glides when `at` changes. */
export function MapMarker({ at, rise = 0, children }: { at: LatLng; rise?: number; children: ReactNode }) {
  const { map } = useMapStage()
  const [host] = useState(() => document.createElement('div'))
  const [marker] = useState(() =>
    L.marker(placeOn(map, at), {
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
    const [lat, lng] = placeOn(map, { lat: at.lat, lng: at.lng })
    return glide(marker.getLatLng(), { lat, lng }, GLIDE_MS, (to) => marker.setLatLng([to.lat, to.lng]))
  }, [map, marker, at.lat, at.lng])
  useEffect(() => void marker.setZIndexOffset(rise), [marker, rise])
  return createPortal(children, host)
}
