import { afterEach, describe, expect, test, vi } from 'vitest'
import { createPlayback } from './playback.ts'

const SPAN = { first: 0, last: 3_600_000 }

/** A fake `requestAnimationFrame` that draws a frame on demand. */
function frames() {
  let pending: ((ms: number) => void) | null = null
  return {
    next: (draw: (ms: number) => void) => {
      pending = draw
      return () => {
        pending = null
      }
    },
    draw: (ms: number) => {
      const draw = pending
      pending = null
      draw?.(ms)
    },
    isWaiting: () => pending !== null,
  }
}

const calm = (matches: boolean) => vi.stubGlobal('window', { matchMedia: () => ({ matches }) })

describe('R-2.59 replay', () => {
  afterEach(() => vi.unstubAllGlobals())

  test('in one second ×10 plays ten minutes and ×60 an hour', () => {
    calm(false)
    const screen = frames()
    const playback = createPlayback(0, screen.next)
    playback.play(SPAN)
    screen.draw(100)
    screen.draw(1100)
    expect(playback.state().time).toBe(600_000)
    playback.setRate(60)
    screen.draw(1600)
    expect(playback.state().time).toBe(2_400_000)
  })

  test('the replay stops at the end, and playing again starts from the beginning', () => {
    calm(false)
    const screen = frames()
    const playback = createPlayback(3_500_000, screen.next)
    playback.play(SPAN)
    screen.draw(0)
    screen.draw(5000)
    expect(playback.state()).toMatchObject({ time: SPAN.last, isPlaying: false })
    expect(screen.isWaiting()).toBe(false)
    playback.play(SPAN)
    expect(playback.state()).toMatchObject({ time: 0, isPlaying: true })
  })

  test('seeking pauses the replay', () => {
    calm(false)
    const screen = frames()
    const playback = createPlayback(0, screen.next)
    const heard = vi.fn()
    const forget = playback.subscribe(heard)
    playback.play(SPAN)
    playback.seek(1000)
    expect(playback.state()).toMatchObject({ time: 1000, isPlaying: false })
    expect(screen.isWaiting()).toBe(false)
    forget()
    heard.mockClear()
    playback.seek(5)
    expect(heard).not.toHaveBeenCalled()
  })

  test('pressing play twice plays at the same speed as once', () => {
    calm(false)
    const screen = frames()
    const playback = createPlayback(0, screen.next)
    playback.play(SPAN)
    screen.draw(0)
    playback.play(SPAN)
    screen.draw(1000)
    expect(playback.state().time).toBe(600_000)
  })

  test('with reduced motion the replay draws one frame a second', () => {
    calm(true)
    const screen = frames()
    const playback = createPlayback(0, screen.next)
    playback.play(SPAN)
    screen.draw(0)
    screen.draw(500)
    expect(playback.state().time).toBe(0)
    screen.draw(1000)
    expect(playback.state().time).toBe(600_000)
  })
})
