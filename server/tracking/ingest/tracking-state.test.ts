import { expect, test } from 'vitest'
import { createFollowState, followTracker } from '#contracts/rules/tracking/follow.ts'
import { parseState, serializeState } from './tracking-state.ts'

const fixAt = (minute: number) => ({ lat: -34.9, lng: -56.15, precision: 10, datetime: Date.UTC(2026, 2, 2, 9, minute) })

test('a saved state is read unchanged, even after a use that was rolled back', () => {
  const state = createFollowState()
  followTracker(state, fixAt(0))
  const expected = structuredClone(state)
  const text = serializeState(state)
  const used = parseState(text)
  expect(used).toEqual(expected)
  followTracker(used!, fixAt(1))
  expect(parseState(text)).toEqual(expected)
})

test('a state of another version is dropped', () => {
  expect(parseState(serializeState(createFollowState()).replace('"version":2', '"version":1'))).toBeNull()
  expect(parseState(null)).toBeNull()
})
