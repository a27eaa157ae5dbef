import type { TFunction } from 'i18next'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bearingDegrees, distanceMeters, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { loadFinder } from '#web/finder/load-finder.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useSteadyNow } from '#web/lib/clock.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { getOmitted, MORE } from '#web/lib/other-backends/omitted.ts'
import { onSessionEnd } from '#web/lib/session.ts'
import { flyTo, keepInView, type Padding, showAll } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { MapView } from '#web/map/map-view.tsx'
import { type PinItem, Pins } from '#web/map/pins/pins.tsx'
import { SaveView, savedView } from '#web/map/saved-view.ts'
import { AccuracyCircle } from '#web/map/shapes/circles.tsx'
import type { Path } from '#web/map/shapes/path.ts'
import { MapTools } from '#web/map/tools/map-tools.tsx'
import { useHeldInView } from '#web/map/use-held-in-view.ts'
import { LiveBadge } from '#web/trackers/live/live-badge.tsx'
import type { useLive } from '#web/trackers/live/use-live.ts'
import { lastContact, stateGroup, trackerState } from '#web/trackers/state.ts'
import { stateWords } from '#web/trackers/tracker-words.ts'
import { isHeardLately } from './map-order.ts'
import { useTodayPoints } from './today-points.ts'
import { useLayers } from './use-layers.ts'

const MapExtras = lazy(async () => (await Promise.all([import('./map-extras.tsx'), loadWords(['extras'])]))[0])

const OnlyList = lazy(async () => (await Promise.all([import('./only-list.tsx'), loadWords(['extras'])]))[0])

const EmptyMap = lazy(async () => (await Promise.all([import('#web/first-minute/empty-map.tsx'), loadWords(['start'])]))[0])

/** A track is drawn once a tracker is chosen and its day has been loaded. */
const TodayTrace = lazy(() => import('./today-trace.tsx'))

const FinderMap = lazy(async () => ({ default: (await loadFinder()).FinderMap }))

type Props = {
  devices: readonly Device[]
  /** Those of them that have pins; all by default. */
  drawn?: readonly Device[]
  /** Takes the ids of trackers in a rectangle. */
  onPick?: ((ids: number[]) => void) | undefined
  onlyList?: { isOn: boolean; onChange: (isOn: boolean) => void } | undefined
  chosen?: Device | undefined
  live: ReturnType<typeof useLive>
  isFollowed?: boolean
  follow?: (device: Device, on: boolean) => void
  padding?: Padding | undefined
  open: (id: number) => void
}

export function HomeMap({ devices, drawn = devices, onPick, onlyList, chosen, live, isFollowed = false, follow, padding, open }: Props) {
  const { t } = useTranslation()
  const now = useSteadyNow()
  const layers = useLayers()
  const [asked, setAsked] = useState(0)
  const [kept] = useState(() => (chosen ? null : savedView()))
  const points = useTodayPoints(chosen?.id)
  const items = useMemo(() => createPins(drawn, now, t, chosen?.id, points), [drawn, now, t, chosen?.id, points])
  const at = chosen?.tracker_status.last_position
  const [first] = useState(() => pickFirst(items, devices, now))
  return (
    <MapView points={at ? [at] : first} padding={padding} kept={kept}>
      <Pins items={items} selected={chosen?.id ?? null} hasNames={layers.has('names')} onSelect={open} />
      {chosen && at && (
        <>
          {layers.has('accuracy') && <AccuracyCircle at={at} radius={at.precision} kind={chosen.kind} />}
          <Suspense>{layers.has('trace') && <TodayTrace id={chosen.id} positions={points} />}</Suspense>
          <Camera device={chosen} isFollowed={isFollowed} />
        </>
      )}
      {!kept && !chosen && <WholeView isPart={getOmitted(devices) === MORE} pick={() => pickFirst(items, devices, now)} />}
      <Suspense>{devices.length === 0 && <EmptyMap moves={kept === null} />}</Suspense>
      <MapTools points={items}>
        <MapExtras layers={layers} items={items} onPick={onPick} onLocate={() => setAsked(asked + 1)} />
      </MapTools>
      <Suspense>{(chosen || asked > 0) && <FinderMap device={chosen} isFollowed={isFollowed} follow={follow} asked={asked} />}</Suspense>
      <Suspense>{onlyList && <OnlyList {...onlyList} />}</Suspense>
      <SaveView />
      <LiveBadge state={live} />
    </MapView>
  )
}

/** The pins of the first view: recently heard trackers, or all when there are none. */
function pickFirst(items: readonly PinItem[], devices: readonly Device[], now: Date) {
  const heard = new Set(devices.filter((device) => isHeardLately(device, now)).map(({ id }) => id))
  const lately = items.filter(({ id }) => heard.has(id))
  return lately.length > 0 ? lately : items
}

/** Fits the view to the rest of a list whose first part was shown while it loaded, unless the user has moved the map since. */
function WholeView({ isPart, pick }: { isPart: boolean; pick: () => readonly PinItem[] }) {
  const { map, padding } = useMapStage()
  const wasPart = useRef(isPart)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of the list moves the map
  useEffect(() => {
    if (wasPart.current && !isPart && !savedView()) showAll(map, pick(), padding)
    wasPart.current = isPart
  }, [isPart])
  return null
}

/** Flies to the chosen tracker and stays with it while it is followed. */
function Camera({ device, isFollowed }: { device: Device; isFollowed: boolean }) {
  const { map, padding } = useMapStage()
  const at = device.tracker_status.last_position
  // biome-ignore lint/correctness/useExhaustiveDependencies: choosing a tracker moves the map, its own moves do not
  useEffect(() => {
    if (at) flyTo(map, at, padding)
  }, [map, device.id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a card that opens must not move a map that follows
  useEffect(() => {
    if (at && isFollowed) keepInView(map, at, padding)
  }, [map, isFollowed, at?.lat, at?.lng])
  useHeldInView(at)
  return null
}

/**
 * Pins of the visible trackers with a position, and of the chosen one even when hidden. The heading is the course that the device measured,
 * or is derived from its movements, for the chosen one from its track `way`.
 */
export const createPins = (devices: readonly Device[], now: Date, t: TFunction, chosen?: number, way?: Path): PinItem[] =>
  devices.flatMap((device) => {
    const { id, visible, tracker_status } = device
    const at = tracker_status.last_position
    if (!at || (!visible && id !== chosen)) return []
    const known = pins.get(device)
    if (id !== chosen && known?.t === t && known.at === now.getTime()) return known.pin
    const heading = updateHeading(id, at, id === chosen ? way : undefined)
    const pin = createPin(device, at, now, t, at.course ?? heading)
    if (id === chosen) pins.delete(device)
    else pins.set(device, { at: now.getTime(), t, pin })
    return pin
  })

/** The pins of unchanged trackers stay the same objects, so that a live event renders one marker. */
const pins = new WeakMap<Device, { at: number; t: TFunction; pin: PinItem }>()

function createPin(device: Device, { lat, lng }: LatLng, now: Date, t: TFunction, heading: number | undefined): PinItem {
  const { id, name, kind, icon, photo } = device
  const group = stateGroup(device, now)
  const isMoving = trackerState(device, now) === 'moving'
  return {
    ...{ id, name, kind, icon, photo, lat, lng, group, isMoving, heading: isMoving ? heading : undefined },
    ...(group === 'lost' && { heard: lastContact(device) }),
    get label() {
      const isSaid = group !== 'lost' || trackerState(device, now) === 'lost'
      return [name, isSaid ? null : t('groups.lost'), stateWords(t, device, now)].filter(Boolean).join(', ')
    },
  }
}

/** A shorter step may only be GPS inaccuracy. */
const STEP_METERS = 10

const seen = new Map<number, { at: LatLng; heading: number | undefined }>()
onSessionEnd(() => seen.clear())

/** Heading in degrees from north, from the previously seen position, or along `way`, whose end is the current position. */
export function updateHeading(id: number, at: LatLng, way?: Path): number | undefined {
  const known = seen.get(id)
  const from = known && distanceMeters(known.at, at) >= STEP_METERS ? known.at : undefined
  const before = from ?? (known?.heading === undefined && way ? findLastAway(way, at) : undefined)
  if (!before) {
    if (!known) seen.set(id, { at, heading: undefined })
    return known?.heading
  }
  const heading = bearingDegrees(before, at)
  seen.set(id, { at, heading })
  return heading
}

/** The last point of a path that is a step away from its end. */
function findLastAway({ length, lat, lng }: Path, at: LatLng): LatLng | undefined {
  for (let index = length - 1; index >= 0; index--) {
    const point = { lat: lat[index] ?? 0, lng: lng[index] ?? 0 }
    if (distanceMeters(point, at) >= STEP_METERS) return point
  }
  return undefined
}
