import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { glide } from './map-marker.tsx'

let frames: ((time: number) => void)[] = []
const tick = (time: number) => {
  const [due, rest] = [frames, []]
  frames = rest
  for (const frame of due) frame(time)
}

beforeEach(() => {
  frames = []
  vi.stubGlobal('requestAnimationFrame', (frame: (time: number) => void) => frames.push(frame))
  vi.stubGlobal('cancelAnimationFrame', () => {
    frames = []
  })
  vi.stubGlobal('window', { matchMedia: () => ({ matches: false }) })
})
afterEach(() => void vi.unstubAllGlobals())

const from = { lat: 0, lng: 0 }
const to = { lat: 0.01, lng: 0 }

test('a marker glides to its new place and stays there', () => {
  const seen: number[] = []
  glide(from, to, 1000, ({ lat }) => void seen.push(lat))
  for (const time of [0, 500, 1000, 1500]) tick(time)
  expect(seen).toEqual([0, 0.005, 0.01])
})

test('a new target cancels the current glide', () => {
  const place = vi.fn()
  const stop = glide(from, to, 1000, place)
  stop()
  tick(0)
  expect(place).not.toHaveBeenCalled()
})

test('a marker jumps over a long distance, and always with reduced motion', () => {
  const place = vi.fn()
  glide(from, { lat: 1, lng: 1 }, 1000, place)
  vi.stubGlobal('window', { matchMedia: () => ({ matches: true }) })
  glide(from, to, 1000, place)
  expect(place.mock.calls).toEqual([[{ lat: 1, lng: 1 }], [to]])
  expect(frames).toEqual([])
})
