import { IconArrowUp } from '@tabler/icons-react'
import L, { type Map as LeafletMap } from 'leaflet'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bearingDegrees, distanceMeters, type LatLng, unwrap } from '#contracts/rules/geo/coordinates.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { keepInView, type Padding, placeOn, showAll } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { MapMarker } from '#web/map/pins/map-marker.tsx'
import { AreaCircle } from '#web/map/shapes/circles.tsx'
import { usePaint } from '#web/map/shapes/use-paint.ts'
import { useMapLayout } from '#web/map/use-map-layout.ts'
import { KindIcon, kindColour } from '#web/trackers/parts/kind-icon.tsx'
import classes from './finder-map.module.css'
import { bearingWords, locateMe, useMyPosition } from './my-position.ts'
import { useWakeLock } from './use-wake-lock.ts'

type Props = {
  device: Device | undefined
  isFollowed: boolean
  follow: ((device: Device, on: boolean) => void) | undefined
  /** Number of times the user requested their own position. */
  asked: number
}

/** The tools to find a tracker on the map: the user's own position, and an arrow to the chosen tracker when it is out of view. */
export function FinderMap({ device, isFollowed, follow, asked }: Props) {
  useWakeLock(isFollowed)
  const at = device?.tracker_status.last_position
  return (
    <>
      <Me asked={asked} target={at} />
      {device && at && follow && <EdgeArrow key={device.id} device={device} at={at} onFollow={() => follow(device, true)} />}
    </>
  )
}

/** The user's own position once it was asked for, with the way to `target`. */
export function Me({ asked, target }: { asked: number; target: LatLng | null | undefined }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { map, padding } = useMapStage()
  const { fix, problem, requests } = useMyPosition()
  const shown = useRef(requests)
  useEffect(() => {
    if (asked > 0) locateMe()
  }, [asked])
  useEffect(() => {
    if (!fix || shown.current === requests) return
    shown.current = requests
    showAll(map, target ? [fix, target] : [fix], padding)
  }, [map, padding, requests, fix, target])
  useEffect(() => {
    if (problem) showToast(t(`finder.${problem}`))
  }, [problem, t])
  if (!fix) return null
  return (
    <>
      <AreaCircle at={fix} radius={fix.accuracy} token="--me" />
      {target && <Way from={fix} to={target} />}
      <MapMarker at={fix} rise={800}>
        <span className={classes.me} role="img" aria-label={t('finder.me', { distance: formats.meters(fix.accuracy) })} />
      </MapMarker>
    </>
  )
}

/** A dotted line from the user to the tracker, with its length. */
function Way({ from, to }: { from: LatLng; to: LatLng }) {
  const formats = useFormats()
  const { map } = useMapStage()
  const { paint, renderer } = usePaint(map)
  const middle = { lat: (from.lat + to.lat) / 2, lng: (from.lng + unwrap(to.lng, from.lng)) / 2 }
  useEffect(() => {
    const ends = [placeOn(map, from), placeOn(map, { lat: to.lat, lng: unwrap(to.lng, from.lng) })]
    const look = { renderer, interactive: false, lineCap: 'round' } as const
    const lines = [
      L.polyline(ends, { ...look, color: paint('--bg'), weight: 6, opacity: 0.9 }),
      L.polyline(ends, { ...look, color: paint('--me'), weight: 3, dashArray: '1 8' }),
    ]
    for (const line of lines) line.addTo(map)
    return () => {
      for (const line of lines) line.remove()
    }
  }, [map, renderer, paint, from, to])
  return (
    <MapMarker at={middle} rise={700}>
      <span className={classes.length} aria-hidden="true">
        {formats.distance(distanceMeters(from, to))}
      </span>
    </MapMarker>
  )
}

type ArrowProps = { device: Device; at: LatLng; onFollow: () => void }

function EdgeArrow({ device: { name, kind }, at, onFollow }: ArrowProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { map, padding } = useMapStage()
  const edge = useEdge(map, at, padding, useMapLayout() === 'low')
  if (!edge) return null
  const centre = map.containerPointToLatLng([edge.centreX, edge.centreY])
  const distance = formats.distance(distanceMeters(centre, at))
  return (
    <button
      type="button"
      className={classes.edge}
      style={{ left: edge.x, top: edge.y, '--k': kindColour(kind) } as CSSProperties}
      aria-label={t('finder.edge', { name, distance, direction: bearingWords(t, bearingDegrees(centre, at)) })}
      onClick={() => {
        onFollow()
        keepInView(map, at, padding)
      }}
    >
      <span className={classes.arrow} style={{ rotate: `${edge.degrees}deg` }}>
        <IconArrowUp size={14} stroke={3} />
      </span>
      <KindIcon kind={kind} size={18} />
      <span>{distance}</span>
    </button>
  )
}

type Edge = { x: number; y: number; degrees: number; centreX: number; centreY: number }

/** Space for half of the arrow, on the right for the map's buttons, and at the bottom for the credit or a row of buttons, in pixels. */
const INSET = { x: 66, y: 30, tools: 66, credit: 28, toolRow: 136 }

/** The point where a line from the middle of the visible map to `at` crosses its edge; null while `at` is in view. */
export function findEdge(
  point: { x: number; y: number },
  size: { x: number; y: number },
  padding: Padding,
  hasToolRow = false,
): Edge | null {
  const [left, right, top, bottom] = [padding.left, size.x - padding.right, padding.top, size.y - padding.bottom]
  const floor = bottom - (hasToolRow ? INSET.toolRow : INSET.credit)
  if (right - left < 2 * INSET.x + INSET.tools || floor - top < 2 * INSET.y) return null
  if (point.x >= left && point.x <= right && point.y >= top && point.y <= bottom) return null
  const [centreX, centreY] = [(left + right) / 2, (top + floor) / 2]
  const [dx, dy] = [point.x - centreX, point.y - centreY]
  const roomX = dx < 0 ? centreX - left - INSET.x : right - INSET.x - INSET.tools - centreX
  const roomY = centreY - top - INSET.y
  const scale = Math.min(roomX / Math.abs(dx), roomY / Math.abs(dy))
  return { x: centreX + dx * scale, y: centreY + dy * scale, degrees: (Math.atan2(dx, -dy) * 180) / Math.PI, centreX, centreY }
}

function useEdge(map: LeafletMap, { lat, lng }: LatLng, padding: Padding, hasToolRow: boolean) {
  const [edge, setEdge] = useState<Edge | null>(null)
  useEffect(() => {
    const look = () => {
      const size = map.getSize()
      setEdge(size.x > 0 ? findEdge(map.latLngToContainerPoint([lat, lng]), size, padding, hasToolRow) : null)
    }
    look()
    map.on('move zoomend resize', look)
    return () => void map.off('move zoomend resize', look)
  }, [map, lat, lng, padding, hasToolRow])
  return edge
}
