import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { useNow } from '#web/lib/clock.ts'
import { AccuracyCircle } from '#web/lib/map/accuracy-circle.tsx'
import { flyTo, keepInView, type Padding } from '#web/lib/map/camera.ts'
import { useStage } from '#web/lib/map/map-context.ts'
import { MapTools } from '#web/lib/map/map-tools.tsx'
import { MapView } from '#web/lib/map/map-view.tsx'
import { Pins } from '#web/lib/map/pins.tsx'
import { Trace } from '#web/lib/map/trace.tsx'
import { LiveBadge } from '#web/lib/trackers/live-badge.tsx'
import type { LiveState } from '#web/lib/trackers/live-channel.ts'
import { pinsOf } from '#web/lib/trackers/pins-of.ts'
import { LAYERS, LayersButton } from './layers-button.tsx'
import { useToday } from './use-today.ts'

type Props = {
  devices: readonly Device[]
  chosen?: Device | undefined
  live: LiveState
  isFollowed?: boolean
  padding?: Padding | undefined
  open: (id: number) => void
}

/** All visible trackers on the map; the chosen one with its accuracy and the way it went today. */
export function HomeMap({ devices, chosen, live, isFollowed = false, padding, open }: Props) {
  const { t } = useTranslation()
  const now = useNow()
  const [layers, setLayers] = useState(LAYERS)
  const items = useMemo(() => pinsOf(devices, now, t, chosen?.id), [devices, now, t, chosen?.id])
  const at = chosen?.tracker_status.last_position
  return (
    <MapView points={at ? [at] : items} padding={padding}>
      <Pins items={items} selected={chosen?.id ?? null} hasNames={layers.names} onSelect={open} />
      {chosen && at && (
        <>
          {layers.accuracy && <AccuracyCircle at={at} radius={at.precision} kind={chosen.kind} />}
          {layers.trace && <TodaysWay id={chosen.id} />}
          <Camera device={chosen} isFollowed={isFollowed} />
        </>
      )}
      <MapTools points={items}>
        <LayersButton layers={layers} onChange={setLayers} />
      </MapTools>
      <LiveBadge state={live} />
    </MapView>
  )
}

const TodaysWay = ({ id }: { id: number }) => <Trace points={useToday(id).points} token="--accent" />

/** Flies to the chosen tracker, and stays with it while it is followed. */
function Camera({ device, isFollowed }: { device: Device; isFollowed: boolean }) {
  const { map, padding } = useStage()
  const at = device.tracker_status.last_position
  // biome-ignore lint/correctness/useExhaustiveDependencies: choosing a tracker moves the map, its own moves do not
  useEffect(() => {
    if (at) flyTo(map, at, padding)
  }, [map, device.id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a card that opens must not move a map that follows
  useEffect(() => {
    if (at && isFollowed) keepInView(map, at, padding)
  }, [map, isFollowed, at?.lat, at?.lng])
  return null
}
