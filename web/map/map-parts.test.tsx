import { MantineProvider } from '@mantine/core'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import L from 'leaflet'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { setConfig } from '#web/lib/config.ts'
import { loadWords, startLanguage } from '#web/lib/i18n/i18n.ts'
import { type PinItem, Pins } from '#web/map/pins/pins.tsx'
import { AccuracyCircle } from '#web/map/shapes/circles.tsx'
import { toPath } from '#web/map/shapes/path.ts'
import { Trace } from '#web/map/shapes/trace.tsx'
import { FullScreenTool } from '#web/map/tools/full-screen-tool.tsx'
import { MapTools } from '#web/map/tools/map-tools.tsx'
import { CONFIG } from '#web/test/sample-config.ts'
import { STATE_GROUPS } from '#web/trackers/state.ts'
import { useMapStage } from './map-context.ts'
import { MapView } from './map-view.tsx'
import { SaveView, savedView } from './saved-view.ts'
// This import also stubs the canvas for jsdom.
import '#web/test/open-as.tsx'

const HOME = { lat: -34.9, lng: -56.16 }
const item = (id: number, name: string, at: LatLng, parts: Partial<PinItem> = {}): PinItem => ({
  id,
  name,
  kind: 'dog',
  group: 'rest',
  label: `${name}, Stationary`,
  ...at,
  ...parts,
})
const REX = item(1, 'Rex', HOME)
const FAR = item(2, 'Minou', { lat: -34.5, lng: -56.7 }, { kind: 'cat' })
const BESIDE = item(3, 'Bike', { lat: HOME.lat + 0.0001, lng: HOME.lng })

let map: L.Map
const Spy = () => {
  map = useMapStage().map
  return null
}
const view = (children: ReactNode, points: readonly LatLng[] = [HOME]) => (
  <MantineProvider>
    <MapView points={points}>
      <Spy />
      {children}
    </MapView>
  </MantineProvider>
)
const show = (children: ReactNode, points?: readonly LatLng[]) => render(view(children, points))
const pin = (name: RegExp | string) => screen.getByRole('button', { name })
const drawn = () => {
  const layers: L.Layer[] = []
  map.eachLayer((layer) => void layers.push(layer))
  return layers
}

beforeAll(async () => {
  await startLanguage('en')
  await loadWords(['inside', 'extras'])
})
beforeEach(() => setConfig(CONFIG))

describe('R-2.58 map', () => {
  test('the map has a label and an attribution that links to the tile licence', () => {
    show(null)
    expect(screen.getByRole('region', { name: 'Map' })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: CONFIG.tiles.attribution })).toHaveAttribute('href', 'https://www.openstreetmap.org/copyright')
  })

  test('an attribution that contains HTML is shown as text', () => {
    setConfig({ ...CONFIG, tiles: { ...CONFIG.tiles, attribution: '<a href="https://evil.test">© <b>OSM</b></a>' } })
    show(null)
    expect(screen.getByRole('link', { name: '© OSM' })).toHaveAttribute('href', 'https://www.openstreetmap.org/copyright')
  })

  test('the map opens around its points, or on the world without any', () => {
    show(null, [HOME, { lat: -34.8, lng: -56.1 }])
    expect(map.getCenter().lat).toBeCloseTo(-34.85, 1)
    expect(map.getZoom()).toBe(13)
    show(null, [])
    expect(map.getZoom()).toBe(3)
  })

  test('the map zooms no closer than its tiles allow', () => {
    setConfig({ ...CONFIG, tiles: { ...CONFIG.tiles, maxZoom: 15 } })
    show(null)
    expect(map.getMaxZoom()).toBe(15)
  })

  test('a lost tile is requested again, three times', () => {
    vi.useFakeTimers()
    const { container } = show(null)
    const tile = container.querySelector('img.leaflet-tile')!
    const request = vi.spyOn(tile, 'setAttribute')
    for (const ms of [2000, 4000, 8000, 60_000]) {
      tile.dispatchEvent(new Event('error'))
      vi.advanceTimersByTime(ms)
    }
    vi.useRealTimers()
    expect(request.mock.calls).toEqual(Array(3).fill(['src', tile.getAttribute('src')]))
  })

  test('the map is reused while its points move and removed with the page', () => {
    const { rerender, unmount } = show(null)
    const first = map
    rerender(view(null, [FAR]))
    expect(map).toBe(first)
    const removed = vi.spyOn(first, 'remove')
    unmount()
    expect(removed).toHaveBeenCalledOnce()
  })
})

describe('map moved by the user', () => {
  const kept = () => sessionStorage.getItem('mapView')

  test('a map moved by the user is restored as it was left, and an untouched one is not saved', async () => {
    show(<SaveView />)
    map.setView([1, 2], 5)
    expect([kept(), savedView()]).toEqual([null, null])
    await userEvent.pointer({ target: screen.getByRole('region', { name: 'Map' }), keys: '[MouseLeft]' })
    map.setView([3, 4], 6)
    expect([kept(), savedView()]).toEqual(['3.00000,4.00000,6', { center: [3, 4], zoom: 6 }])
    sessionStorage.setItem('mapView', 'somewhere')
    expect(savedView()).toBeNull()
  })

  test('a restored map opens at the saved view whatever its points are', () => {
    render(
      <MantineProvider>
        <MapView points={[HOME]} kept={{ center: [3, 4], zoom: 6 }}>
          <Spy />
        </MapView>
      </MantineProvider>,
    )
    expect([map.getCenter().lat, map.getZoom()]).toEqual([3, 6])
  })
})

describe('full screen', () => {
  test('full screen is offered if the browser supports it, for the map and the elements on it', async () => {
    const asked = vi.fn(async () => undefined)
    Object.assign(document, { fullscreenEnabled: true })
    const matches = vi
      .spyOn(window, 'matchMedia')
      .mockImplementation((media) => Object.assign(new EventTarget(), { media, matches: true }) as never)
    HTMLElement.prototype.requestFullscreen = asked
    show(<FullScreenTool />)
    await userEvent.click(screen.getByRole('button', { name: 'Full screen' }))
    expect(asked).toHaveBeenCalledOnce()
    matches.mockRestore()
    Object.assign(document, { fullscreenEnabled: false })
  })
})

describe('map buttons', () => {
  test('the buttons zoom in and out', async () => {
    show(<MapTools points={[HOME]} />)
    const zoomed = [vi.spyOn(map, 'zoomIn'), vi.spyOn(map, 'zoomOut')]
    await userEvent.click(screen.getByRole('button', { name: 'Zoom in' }))
    await userEvent.click(screen.getByRole('button', { name: 'Zoom out' }))
    expect(zoomed.map(({ mock }) => mock.calls.length)).toEqual([1, 1])
  })

  test('the button for all points is disabled without points', () => {
    show(<MapTools points={[]} />)
    expect(screen.getByRole('button', { name: 'Show all trackers' })).toBeDisabled()
  })
})

describe('pins', () => {
  test('each pin is a button with name and state that selects its tracker', async () => {
    const chosen: number[] = []
    show(<Pins items={[REX, FAR]} onSelect={(id) => chosen.push(id)} />)
    await userEvent.click(pin('Minou, Stationary'))
    expect(chosen).toEqual([2])
  })

  test('the selected pin is pressed and the others are not', () => {
    show(<Pins items={[REX, FAR]} selected={2} />)
    expect(pin('Minou, Stationary')).toHaveAttribute('aria-pressed', 'true')
    expect(pin('Rex, Stationary')).toHaveAttribute('aria-pressed', 'false')
  })

  test('names are shown under pins only on request', () => {
    const { rerender } = show(<Pins items={[REX]} />)
    expect(screen.queryByText('Rex')).toBeNull()
    rerender(view(<Pins items={[REX]} hasNames />))
    expect(screen.getByText('Rex')).toBeInTheDocument()
  })

  test.each(STATE_GROUPS)('the pin of a tracker has the appearance of its state: %s', (group) => {
    show(<Pins items={[item(1, 'Rex', HOME, { group })]} />)
    expect(pin(/Rex/)).toHaveAttribute('data-group', group)
  })

  test('a lost tracker says so and how old its position is, also without names on the map', () => {
    show(<Pins items={[item(1, 'Rex', HOME, { group: 'lost', heard: new Date(Date.now() - 65_000) }), FAR]} />)
    expect(screen.getByText('Rex · Lost · 1 min. ago')).toBeInTheDocument()
    expect(screen.queryByText('Minou')).toBeNull()
  })

  test('focusing a pin outside the view moves the map to it', () => {
    show(<Pins items={[REX, FAR]} />)
    const moved = vi.spyOn(map, 'panInside')
    act(() => pin(/Minou/).focus())
    expect(moved).toHaveBeenCalledWith([FAR.lat, FAR.lng], expect.anything())
  })

  test('the pin of a removed tracker is removed', () => {
    const { rerender } = show(<Pins items={[REX, FAR]} />)
    rerender(view(<Pins items={[FAR]} />))
    expect(screen.queryByRole('button', { name: /Rex/ })).toBeNull()
  })
})

describe('overlapping trackers', () => {
  test('overlapping trackers are one button with their number and names that zooms in', async () => {
    show(<Pins items={[REX, BESIDE, FAR]} />)
    const flown = vi.spyOn(map, 'setView')
    await userEvent.click(pin('2 trackers here. At rest 2. Rex, Bike'))
    const zoom = flown.mock.calls.at(-1)?.[1]
    expect(zoom).toBeGreaterThan(13)
  })

  test('the selected tracker is never grouped', () => {
    show(<Pins items={[REX, BESIDE]} selected={1} />)
    expect(screen.queryByRole('button', { name: /trackers here/ })).toBeNull()
    expect(pin('Rex, Stationary')).toBeInTheDocument()
    expect(pin('Bike, Stationary')).toBeInTheDocument()
  })

  test('a lost tracker never joins a group and lies above all of them', () => {
    show(<Pins items={[item(1, 'Rex', HOME, { group: 'lost', label: 'Rex, Lost mode' }), BESIDE, item(4, 'Kim', HOME)]} />)
    expect(pin('Rex, Lost mode')).toBeInTheDocument()
    const rises = drawn().flatMap((layer) => (layer instanceof L.Marker ? [layer.options.zIndexOffset ?? 0] : []))
    expect(rises.sort((a, b) => a - b)).toEqual([500, 1500])
  })

  test('the captions of two lost trackers that are close together do not overlap', () => {
    const lost = { group: 'lost' } as const
    show(<Pins items={[item(1, 'Rex', HOME, lost), item(4, 'Kim', { lat: HOME.lat - 0.0001, lng: HOME.lng }, lost)]} />)
    expect(screen.getByText('Rex · Lost')).toHaveAttribute('data-above')
    expect(screen.getByText('Kim · Lost')).not.toHaveAttribute('data-above')
  })

  test('a group names the states of its members', () => {
    show(<Pins items={[item(1, 'Rex', HOME, { group: 'moving' }), BESIDE, item(4, 'Kim', HOME, { group: 'moving' })]} />)
    expect(pin('3 trackers here. Moving 2, At rest 1. Rex, Bike, Kim')).toBeInTheDocument()
  })

  test('a small group shows three icons and how many more there are, and a large one its number', () => {
    const many = (count: number) => Array.from({ length: count }, (_, id) => item(id + 1, `T${id + 1}`, HOME))
    const { rerender } = show(<Pins items={many(5)} />)
    expect(pin(/trackers here/)).toHaveTextContent(/^\+2$/)
    expect(pin(/trackers here/).querySelectorAll('svg')).toHaveLength(3)
    rerender(view(<Pins items={many(6)} />))
    expect(pin(/trackers here/)).toHaveTextContent(/^6$/)
  })

  test('trackers at the same spot are listed, and selected from the list', async () => {
    const chosen: number[] = []
    show(<Pins items={[REX, item(4, 'Kim', HOME)]} onSelect={(id) => chosen.push(id)} />)
    const group = pin('2 trackers here. At rest 2. Rex, Kim')
    expect(group).toHaveAttribute('aria-expanded', 'false')
    await userEvent.click(group)
    expect(group).toHaveAttribute('aria-expanded', 'true')
    await userEvent.click(within(screen.getByRole('list', { name: '2 trackers here' })).getByRole('button', { name: 'Kim' }))
    expect(chosen).toEqual([4])
  })

  test('Escape closes the list of grouped trackers', async () => {
    show(<Pins items={[REX, item(4, 'Kim', HOME)]} />)
    await userEvent.click(pin(/trackers here/))
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('list')).toBeNull()
  })
})

describe('drawings', () => {
  const way = toPath([HOME, { lat: -34.902, lng: -56.162 }, { lat: -34.904, lng: -56.158 }])
  const other = toPath([HOME, { lat: -34.904, lng: -56.164 }])
  const SPEED = { kmh: [0, 5, 60], top: 60 }

  // In jsdom, a map has no size of its own.
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800)
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  /** Strokes of the last drawing: colour and width, and the lines of each. */
  function watchStrokes() {
    const pen = { strokes: [] as { colour: string; width: number; lines: number[][][] }[] }
    const context = {
      strokeStyle: '',
      lineWidth: 0,
      setTransform: () => pen.strokes.splice(0),
      stroke: ({ lines }: { lines: number[][][] }) => pen.strokes.push({ colour: context.strokeStyle, width: context.lineWidth, lines }),
    }
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
    return pen.strokes
  }
  const traces = () => map.getPane('traces')?.querySelectorAll('canvas').length ?? 0

  test('a trace is a line over a light edge', () => {
    const strokes = watchStrokes()
    show(<Trace path={way} />)
    expect(strokes.map(({ width, lines }) => [width, lines.map((line) => line.length)])).toEqual([
      [8, [3]],
      [4, [3]],
    ])
  })

  test('a trace coloured by speed has a line per colour without a gap', () => {
    const strokes = watchStrokes()
    show(<Trace path={way} speed={SPEED} />)
    const [edge, ...parts] = strokes
    const [slow, fast, ...more] = parts.filter(({ lines }) => lines.length > 0)
    expect([edge, slow, fast].map((stroke) => stroke?.lines[0]?.length)).toEqual([3, 2, 2])
    expect(more).toEqual([])
    expect(slow?.lines[0]?.at(-1)).toEqual(fast?.lines[0]?.[0])
    expect(slow?.colour).not.toBe(fast?.colour)
  })

  test('a trace is a finished bitmap if the browser supports that', () => {
    const pictures: string[] = []
    let strokes = 0
    const pen = {
      setTransform: () => {
        strokes = 0
      },
      stroke: () => void strokes++,
    }
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
      transferFromImageBitmap: (picture: string) => void pictures.push(`${picture} of ${strokes} strokes`),
    } as never)
    vi.stubGlobal(
      'OffscreenCanvas',
      class {
        getContext = () => pen
        transferToImageBitmap = () => 'picture'
      },
    )
    show(<Trace path={way} />)
    expect(pictures.at(-1)).toBe('picture of 2 strokes')
  })

  test('a part of a path is drawn alone', () => {
    const strokes = watchStrokes()
    show(<Trace path={way} first={1} last={2} />)
    expect(strokes[1]?.lines.map((line) => line.length)).toEqual([2])
  })

  test('a single point draws no trace', () => {
    show(<Trace path={toPath([HOME])} />)
    expect(traces()).toBe(0)
  })

  test('a new trace replaces the old one, and is removed with the component', () => {
    const { rerender } = show(<Trace path={way} />)
    rerender(view(<Trace path={other} />))
    expect(traces()).toBe(1)
    rerender(view(null))
    expect(traces()).toBe(0)
  })

  test('a map dragged beyond the canvas draws the trace there', async () => {
    const strokes = watchStrokes()
    show(<Trace path={way} />)
    const before = strokes[1]?.lines
    act(() => void map.panBy([5000, 0], { animate: false }))
    expect(strokes[1]?.lines).not.toEqual(before)
  })

  test("the accuracy circle has the tracker's accuracy as its radius in metres", () => {
    const circles = () => drawn().filter((layer): layer is L.Circle => layer instanceof L.Circle)
    const { rerender } = show(<AccuracyCircle at={HOME} radius={25} kind="dog" />)
    expect(circles().map((circle) => [circle.getRadius(), circle.getLatLng().lat])).toEqual([[25, HOME.lat]])
    rerender(view(<AccuracyCircle at={HOME} radius={80} kind="dog" />))
    expect(circles().map((circle) => circle.getRadius())).toEqual([80])
  })
})

test('a component that needs a map throws a clear error without one', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(() => render(<Spy />)).toThrow('outside MapView')
  logged.mockRestore()
})
