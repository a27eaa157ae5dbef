import { useMemo } from 'react'
import type { Device } from '#contracts/devices.ts'
import { CameraOn } from '#web/history/playback/camera-on.tsx'
import { CursorPin } from '#web/history/playback/cursor-pin.tsx'
import type { Playback } from '#web/history/track/playback.ts'
import type { Track } from '#web/history/track/track.ts'
import { useNow } from '#web/lib/clock.ts'
import type { Padding } from '#web/map/camera.ts'
import { MapMarker } from '#web/map/map-marker.tsx'
import { MapTools } from '#web/map/map-tools.tsx'
import { MapView } from '#web/map/map-view.tsx'
import { Pin } from '#web/map/pin.tsx'
import { Trace } from '#web/map/trace.tsx'
import { isStale, trackerState } from '#web/trackers/state.ts'
import { Landmarks } from './landmarks.tsx'
import { Legend } from './legend.tsx'

type Props = {
  device: Device
  /** Null while loading and when there is no data. */
  track: Track | null
  playback: Playback | null
  /** Index of the highlighted leg. */
  focus: number | null
  padding: Padding
}

/** The map of a history; without a track it shows the tracker's last position. */
export function HistoryMap({ device, track, playback, focus, padding }: Props) {
  const { last_position } = device.tracker_status
  const state = trackerState(device, useNow())
  const points = useMemo(() => track?.fixes ?? (last_position ? [last_position] : []), [track, last_position])
  return (
    <MapView points={points} padding={padding}>
      {track && playback && <TrackOnMap device={device} track={track} playback={playback} focus={focus} />}
      {!track && last_position && (
        <>
          <MapMarker at={last_position}>
            <Pin kind={device.kind} label={device.name} isMoving={state === 'moving'} isLost={state === 'lost'} isStale={isStale(state)} />
          </MapMarker>
          <CameraOn key={padding.bottom} points={points} />
        </>
      )}
      <MapTools points={points} />
    </MapView>
  )
}

type Shown = Pick<Props, 'device' | 'focus'> & { track: Track; playback: Playback }

function TrackOnMap({ device, track, playback, focus }: Shown) {
  const { fixes, kmh, topKmh, legs } = track
  const speed = useMemo(() => ({ kmh, top: topKmh }), [kmh, topKmh])
  const leg = focus === null ? undefined : legs[focus]
  const looked = useMemo(() => (leg ? fixes.slice(leg.first, leg.last + 1) : fixes), [fixes, leg])
  const lookedSpeed = useMemo(() => (leg ? { kmh: kmh.slice(leg.first, leg.last + 1), top: topKmh } : speed), [kmh, topKmh, leg, speed])
  return (
    <>
      <Trace points={fixes} speed={speed} />
      {leg?.kind === 'trip' && <Trace points={looked} speed={lookedSpeed} weight={8} />}
      <Landmarks track={track} />
      <CursorPin kind={device.kind} track={track} playback={playback} />
      <CameraOn points={looked} />
      <Legend topKmh={topKmh} />
    </>
  )
}
