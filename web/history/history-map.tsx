import L from 'leaflet'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { fixAt } from '#contracts/rules/history/fixes.ts'
import type { PositionColumns } from '#contracts/track/columns.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { CursorPin } from '#web/history/playback/cursor-pin.tsx'
import type { Playback } from '#web/history/track/playback.ts'
import { findEnds, type Track } from '#web/history/track/track.ts'
import type { Doubt } from '#web/history/wrong/doubts.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { type Padding, placeOn, showAll } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { BlankMap, MapView } from '#web/map/map-view.tsx'
import { MapMarker } from '#web/map/pins/map-marker.tsx'
import { Pin } from '#web/map/pins/pin.tsx'
import { outlineOf } from '#web/map/shapes/path.ts'
import { Trace } from '#web/map/shapes/trace.tsx'
import { usePaint } from '#web/map/shapes/use-paint.ts'
import { MapTools } from '#web/map/tools/map-tools.tsx'
import { stateGroup, trackerState } from '#web/trackers/state.ts'
import classes from './legend.module.css'

function Legend({ topKmh }: { topKmh: number }) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <p className={classes.legend}>
      <strong>{t('history.legend')}</strong>
      <span>{formats.number(0)}</span>
      <i className={classes.scale} aria-hidden="true" />
      <span>{formats.speed(topKmh)}</span>
    </p>
  )
}

/** Marks the start (ring), the end (full disc) and the stops between (small rings). */
function Landmarks({ track }: { track: Track }) {
  const { map } = useMapStage()
  const { paint } = usePaint(map)
  useEffect(() => {
    // A second canvas would be copied for every frame in which the sheet over it moves.
    const renderer = L.svg({ padding: 0.4 })
    const [ink, paper] = [paint('--text'), paint('--bg')]
    const { path } = track.line
    const mark = (at: LatLng, look: L.CircleMarkerOptions) => {
      return L.circleMarker(placeOn(map, at), { renderer, interactive: false, fillOpacity: 1, ...look })
    }
    const stops = track.legs.filter(({ kind }) => kind === 'stop')
    const group = L.layerGroup([
      ...stops.map(({ first }) => mark(fixAt(track.positions, first), { radius: 4, weight: 2, color: ink, fillColor: paper })),
      mark(fixAt(path, path.length - 1), { radius: 7, weight: 3, color: paper, fillColor: ink }),
      mark(fixAt(path, 0), { radius: 7, weight: 3, color: ink, fillColor: paper }),
    ]).addTo(map)
    return () => {
      group.remove()
      renderer.remove()
    }
  }, [map, paint, track])
  return null
}

/** Hollow grey circles at positions that look wrong; those of the chosen row are larger. */
function WrongMarkers({ doubts, chosen }: { doubts: readonly Doubt[]; chosen: Doubt | null }) {
  const { map } = useMapStage()
  const { paint, renderer } = usePaint(map)
  useEffect(() => {
    const [grey, paper] = [paint('--text-2'), paint('--bg')]
    const marks = doubts.flatMap((doubt) =>
      doubt.points.map((point) => {
        const size = doubt === chosen ? { radius: 8, weight: 3 } : { radius: 5, weight: 2 }
        return L.circleMarker(placeOn(map, point), {
          renderer,
          interactive: false,
          color: grey,
          fillColor: paper,
          fillOpacity: 0.35,
          ...size,
        })
      }),
    )
    const group = L.layerGroup(marks).addTo(map)
    return () => void group.remove()
  }, [map, renderer, paint, doubts, chosen])
  return null
}

/**
 * Fits the view to `points` when they change; memoize them with useMemo. The first time without an animation, which would load the tiles on
 * its way on a slow connection.
 */
function CameraOn({ points }: { points: readonly LatLng[] }) {
  const { map, padding } = useMapStage()
  const hasShown = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what floats may change its size without moving the map
  useEffect(() => {
    showAll(map, points, padding, { animate: hasShown.current })
    hasShown.current = true
  }, [map, points])
  return null
}

type Props = {
  device: Device
  /** The positions that have arrived so far, without those that look wrong. */
  positions: PositionColumns | undefined
  /** Whether all have arrived: then the track follows at once, and the view with it. */
  isComplete: boolean
  track: Track | null
  /** Whether there are no positions: until that is known, the view waits for the track, so that no tiles are loaded unnecessarily. */
  isEmpty: boolean
  playback: Playback | null
  focus: number | null
  /** The positions that look wrong, while they are shown. */
  doubts: Doubts
  padding: Padding
}

type Doubts = { shown: readonly Doubt[]; chosen: Doubt | null }

/** How long the map waits for the positions, in ms, so that it does not load the tiles of a view that they change at once. */
const PATIENCE_MS = 1500

/** The map is rendered after the list next to it: tiles and lines keep the page busy. */
export function HistoryMap(props: Props) {
  const { isEmpty } = props
  const [track, positions] = [useDeferredValue(props.track), useDeferredValue(props.positions)]
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return track || positions || isEmpty || isLate ? <TrackMap {...props} track={track} positions={positions} /> : <BlankMap />
}

function TrackMap({ device, positions, isComplete, track, isEmpty, playback, focus, doubts, padding }: Props) {
  const { last_position } = device.tracker_status
  const now = useNow()
  const path = track?.positions ?? positions
  const hasPath = path !== undefined && path.length > 0
  const points = useMemo(() => (path?.length ? outlineOf(path) : last_position ? [last_position] : []), [path, last_position])
  return (
    <MapView points={points} padding={padding}>
      {track && playback && <TrackOnMap device={device} track={track} playback={playback} focus={focus} doubts={doubts} />}
      {!track && hasPath && (
        <>
          <Trace path={path} />
          {!isComplete && <CameraOn points={points} />}
        </>
      )}
      {!hasPath && last_position && (
        <>
          <MapMarker at={last_position}>
            <Pin of={device} label={device.name} group={stateGroup(device, now)} isMoving={trackerState(device, now) === 'moving'} />
          </MapMarker>
          {isEmpty && <CameraOn key={padding.bottom} points={points} />}
        </>
      )}
      <MapTools points={points} />
    </MapView>
  )
}

type Shown = Pick<Props, 'device' | 'focus' | 'doubts'> & { track: Track; playback: Playback }

function TrackOnMap({ device, track, playback, focus, doubts }: Shown) {
  const { line, scaleKmh, legs } = track
  const speed = useMemo(() => ({ kmh: line.kmh, top: scaleKmh }), [line, scaleKmh])
  const leg = focus === null ? undefined : legs[focus]
  const ends = useMemo(() => leg && findEnds(track, leg), [track, leg])
  const looked = useMemo(() => outlineOf(line.path, ends?.first, ends?.last), [line, ends])
  const { chosen } = doubts
  return (
    <>
      <Trace path={line.path} speed={speed} />
      {leg?.kind === 'trip' && <Trace path={line.path} {...ends} speed={speed} weight={8} />}
      <Landmarks track={track} />
      <WrongMarkers doubts={doubts.shown} chosen={chosen} />
      <CursorPin of={device} track={track} playback={playback} />
      <CameraOn points={chosen?.points ?? looked} />
      <Legend topKmh={scaleKmh} />
    </>
  )
}
