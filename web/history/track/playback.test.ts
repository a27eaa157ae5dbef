import { afterEach, describe, expect, test, vi } from 'vitest'
import { createPlayback } from './playback.ts'

const SPAN = { first: 0, last: 3_600_000 }

/** A browser that draws when told to. */
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

describe('R-2.59: the replay', () => {
  afterEach(() => vi.unstubAllGlobals())

  test('ten minutes pass in a second at ×10, an hour at ×60', () => {
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

  test('stops at the end, and begins again from there', () => {
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

  test('choosing another time ends playing', () => {
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

  test('playing twice is playing once', () => {
    calm(false)
    const screen = frames()
    const playback = createPlayback(0, screen.next)
    playback.play(SPAN)
    screen.draw(0)
    playback.play(SPAN)
    screen.draw(1000)
    expect(playback.state().time).toBe(600_000)
  })

  test('one picture a second for whoever asked for less motion', () => {
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
