import { MantineProvider } from '@mantine/core'
import { act, render } from '@testing-library/react'
import type L from 'leaflet'
import { beforeAll, describe, expect, test } from 'vitest'
import { setConfig } from '#web/lib/config.ts'
import { startLanguage } from '#web/lib/i18n/i18n.ts'
import { CONFIG } from '#web/test/sample-config.ts'
import { isInView, NO_PADDING } from './camera.ts'
import { KeepPoints } from './keep-points.tsx'
import { useMapStage } from './map-context.ts'
import { MapView } from './map-view.tsx'
import { useHeldInView } from './use-held-in-view.ts'
// This import also stubs the canvas for jsdom.
import '#web/test/open-as.tsx'

const AT = { lat: -34.9, lng: -56.16 }
const FROM = { lat: -34.85, lng: -56.1 }

let map: L.Map
const Spy = () => {
  map = useMapStage().map
  return null
}
const POINTS = [AT]
const SHOWN = [AT, FROM]
const view = (top: number) => (
  <MantineProvider>
    <MapView points={SHOWN} padding={{ ...NO_PADDING, top }}>
      <Spy />
      <KeepPoints points={POINTS} shown={SHOWN} />
    </MapView>
  </MantineProvider>
)

/** jsdom has no layout. */
const turn = (width: number, height: number) =>
  act(() => {
    Object.defineProperties(map.getContainer(), {
      clientWidth: { value: width, configurable: true },
      clientHeight: { value: height, configurable: true },
    })
    map.invalidateSize({ pan: false })
  })

beforeAll(async () => {
  setConfig(CONFIG)
  await startLanguage('en')
})

test('a point in view stays in view when the phone is turned', () => {
  render(view(0))
  turn(390, 844)
  act(() => void map.setView([AT.lat + 0.01, AT.lng], 15, { animate: false }))
  expect(isInView(map, AT, NO_PADDING)).toBe(true)
  turn(844, 390)
  expect(isInView(map, AT, NO_PADDING)).toBe(true)
  expect(isInView(map, FROM, NO_PADDING)).toBe(true)
})

test('a map that was moved away stays where it is', () => {
  render(view(0))
  turn(390, 844)
  act(() => void map.setView([10, 10], 15, { animate: false }))
  turn(844, 390)
  expect(isInView(map, AT, NO_PADDING)).toBe(false)
})

test('a point that a card would cover comes out from under it', () => {
  const { rerender } = render(view(0))
  turn(390, 844)
  act(() => void map.setView([AT.lat - 0.012, AT.lng], 15, { animate: false }))
  expect(isInView(map, AT, NO_PADDING)).toBe(true)
  rerender(view(400))
  expect(isInView(map, AT, { ...NO_PADDING, top: 400 })).toBe(true)
})

describe('the chosen tracker', () => {
  const Held = ({ at }: { at: typeof AT }) => {
    useHeldInView(at)
    return null
  }
  const chosen = (at: typeof AT) => (
    <MantineProvider>
      <MapView points={SHOWN}>
        <Spy />
        <Held at={at} />
      </MapView>
    </MantineProvider>
  )

  test('stays in view, in the same size, when the phone is turned', () => {
    render(chosen(AT))
    turn(390, 844)
    act(() => void map.setView([AT.lat + 0.012, AT.lng], 15, { animate: false }))
    expect(isInView(map, AT, NO_PADDING)).toBe(true)
    turn(844, 390)
    expect(isInView(map, AT, NO_PADDING)).toBe(true)
    expect(map.getZoom()).toBe(15)
  })

  test('leaves the view by its own moves', () => {
    const { rerender } = render(chosen(AT))
    turn(390, 844)
    act(() => void map.setView([AT.lat, AT.lng], 15, { animate: false }))
    rerender(chosen(FROM))
    expect(isInView(map, FROM, NO_PADDING)).toBe(false)
    expect(isInView(map, AT, NO_PADDING)).toBe(true)
  })
})
