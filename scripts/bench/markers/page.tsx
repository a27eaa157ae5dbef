import { KINDS } from '#contracts/rules/tracking/tracker.ts'
import 'leaflet/dist/leaflet.css'
import L from 'leaflet'
import { createRoot } from 'react-dom/client'
import { NO_PADDING } from '#web/map/camera.ts'
import { MapContext } from '#web/map/map-context.ts'
import { type PinItem, Pins } from '#web/map/pins/pins.tsx'

/** Milliseconds for the first drawing and for a frame while panning, and the number of elements of the map. */
export type MarkerFigures = { draw: number; frame: number; nodes: number }
export type MarkerKind = 'ours' | 'floor'

const PAN_FRAMES = 40
const STEP_PX = 12

const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))

/** Trackers spread over 330 by 300 kilometres by a linear congruential generator, the same in every run. */
function createItems(count: number): PinItem[] {
  let state = 1
  const random = () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return state / 2 ** 32
  }
  return Array.from({ length: count }, (_, id) => ({
    id,
    name: `Tracker ${id}`,
    kind: KINDS[id % KINDS.length]!,
    ...{ lat: 47 + random() * 3, lng: 0.5 + random() * 4 },
    group: id % 3 === 0 ? ('moving' as const) : ('rest' as const),
    label: `Tracker ${id}`,
  }))
}

function createMap() {
  document.body.replaceChildren()
  const element = document.createElement('div')
  Object.assign(element.style, { width: '1280px', height: '800px' })
  document.body.append(element)
  return L.map(element, { zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, inertia: false }).setView([48.5, 2.5], 8)
}

const DRAW: Record<MarkerKind, (map: L.Map, items: PinItem[]) => () => void> = {
  ours(map, items) {
    const root = createRoot(document.createElement('div'))
    root.render(
      <MapContext value={{ map, padding: NO_PADDING }}>
        <Pins items={items} />
      </MapContext>,
    )
    return () => root.unmount()
  },
  floor(map, items) {
    const icon = () => L.divIcon({ className: '', html: '<b></b>', iconSize: [16, 16] })
    const layer = L.layerGroup(items.map(({ lat, lng }) => L.marker([lat, lng], { icon: icon(), keyboard: false }))).addTo(map)
    return () => layer.remove()
  },
}

async function measure(kind: MarkerKind, count: number): Promise<MarkerFigures> {
  const items = createItems(count)
  const map = createMap()
  await nextFrame()
  const start = performance.now()
  const remove = DRAW[kind](map, items)
  while (!map.getPane('markerPane')?.firstChild) await nextFrame()
  await nextFrame()
  const draw = (await nextFrame()) - start
  const frames: number[] = []
  let before = await nextFrame()
  for (let index = 0; index < PAN_FRAMES; index++) {
    const direction = index % 20 < 10 ? 1 : -1
    map.panBy([STEP_PX * direction, (STEP_PX / 2) * direction], { animate: false })
    const at = await nextFrame()
    frames.push(at - before)
    before = at
  }
  const nodes = document.querySelectorAll('.leaflet-marker-pane *').length
  remove()
  map.remove()
  return { draw, frame: frames.sort((a, b) => a - b)[PAN_FRAMES / 2]!, nodes }
}

Object.assign(window, { measureMarkers: measure })
