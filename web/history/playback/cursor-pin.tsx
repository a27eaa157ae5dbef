import L from 'leaflet'
import { type CSSProperties, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Playback } from '#web/history/track/playback.ts'
import { interpolateMoment, type Track } from '#web/history/track/track.ts'
import { keepInView, placeOn } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { type Face, FaceIcon, kindColour } from '#web/trackers/parts/kind-icon.tsx'
import classes from './cursor-pin.module.css'

/** Pixels between the followed pin and the edge of the map. */
const EDGE = 40

/** The tracker's pin at the replay's time, moved without React because it moves on every frame. */
export function CursorPin({ of, track, playback }: { of: Face; track: Track; playback: Playback }) {
  const { map, padding } = useMapStage()
  const [host] = useState(() => document.createElement('div'))
  useEffect(() => {
    const icon = L.divIcon({ html: host, className: '', iconSize: [0, 0] })
    const marker = L.marker([0, 0], { icon, keyboard: false, interactive: false, zIndexOffset: 1000 })
    const place = () => {
      const at = interpolateMoment(track, playback.state().time)
      if (!at) return
      marker.setLatLng(placeOn(map, at))
      host.dataset.heads = String(at.heading !== null)
      host.style.setProperty('--heading', `${at.heading ?? 0}deg`)
      if (playback.state().isPlaying && !isSeen(map, at, padding)) keepInView(map, at, padding)
    }
    place()
    marker.addTo(map)
    const forget = playback.subscribe(place)
    return () => {
      forget()
      marker.remove()
    }
  }, [map, padding, host, track, playback])
  return createPortal(
    <span className={classes.pin} style={{ '--k': kindColour(of.kind) } as CSSProperties}>
      <FaceIcon of={of} size={22} />
    </span>,
    host,
  )
}

const isSeen = (map: L.Map, at: L.LatLngLiteral, { top, right, bottom, left }: ReturnType<typeof useMapStage>['padding']) => {
  const { x, y } = map.latLngToContainerPoint(at)
  const size = map.getSize()
  return x > left + EDGE && x < size.x - right - EDGE && y > top + EDGE && y < size.y - bottom - EDGE
}
