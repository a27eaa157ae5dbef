import { describe, expect, test } from 'vitest'
import { createVirtualClock } from './virtual-clock.ts'

const START = new Date('2026-03-02T09:00:00Z')

function wall() {
  let now = Date.parse('2030-01-01T00:00:00Z')
  return {
    now: () => new Date(now),
    pass(seconds: number) {
      now += seconds * 1000
    },
  }
}

const later = (seconds: number) => new Date(START.getTime() + seconds * 1000)

describe('virtual clock', () => {
  test('a frozen clock stands still while real time passes', () => {
    const outside = wall()
    const clock = createVirtualClock(outside, { at: START, mode: 'frozen' })
    outside.pass(3600)
    expect(clock.now()).toEqual(START)
    expect(clock.state()).toEqual({ now: START, mode: 'frozen', rate: 1 })
  })

  test('a flowing clock runs at its rate: faster, slower or in real time', () => {
    for (const rate of [1, 60, 0.5]) {
      const outside = wall()
      const clock = createVirtualClock(outside, { at: START, mode: 'flow', rate })
      outside.pass(120)
      expect(clock.now()).toEqual(later(120 * rate))
    }
  })

  test('a new rate applies from now on, not from the start', () => {
    const outside = wall()
    const clock = createVirtualClock(outside, { at: START, mode: 'flow' })
    outside.pass(10)
    clock.set({ rate: 100 })
    expect(clock.now()).toEqual(later(10))
    outside.pass(1)
    expect(clock.now()).toEqual(later(110))
  })

  test('a clock frozen midway stops, and continues from there when it flows again', () => {
    const outside = wall()
    const clock = createVirtualClock(outside, { at: START, mode: 'flow' })
    outside.pass(30)
    clock.set({ mode: 'frozen' })
    outside.pass(3600)
    expect(clock.now()).toEqual(later(30))
    clock.set({ mode: 'flow' })
    outside.pass(5)
    expect(clock.now()).toEqual(later(35))
  })

  test('a clock set while it flows continues from the new time at its rate', () => {
    const outside = wall()
    const clock = createVirtualClock(outside, { at: START, mode: 'flow', rate: 2 })
    outside.pass(1000)
    clock.set({ at: later(86_400) })
    outside.pass(10)
    expect(clock.now()).toEqual(later(86_420))
    expect(clock.state()).toMatchObject({ mode: 'flow', rate: 2 })
  })

  test('fields left out of a change keep their values', () => {
    const clock = createVirtualClock(wall(), { at: START, mode: 'frozen' })
    clock.set({ at: undefined, mode: undefined, rate: undefined })
    expect(clock.state()).toEqual({ now: START, mode: 'frozen', rate: 1 })
    clock.set({ rate: 60 })
    expect(clock.state()).toEqual({ now: START, mode: 'frozen', rate: 60 })
  })
})
