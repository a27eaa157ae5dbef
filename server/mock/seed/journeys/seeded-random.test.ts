import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashText, seededNoise, seededRandom } from './seeded-random.ts'

const numbers = fc.array(fc.integer(), { minLength: 1, maxLength: 5 })
const many = Array.from({ length: 20_000 }, (_, index) => index)

test('a pseudo-random number lies from 0 to 1 and depends only on its arguments', () => {
  fc.assert(
    fc.property(numbers, (drawn) => {
      expect(seededRandom(...drawn)).toBeGreaterThanOrEqual(0)
      expect(seededRandom(...drawn)).toBeLessThan(1)
      expect(seededRandom(...drawn)).toBe(seededRandom(...drawn))
    }),
  )
})

test('numbers of neighbouring arguments are independent: every tenth is equally frequent', () => {
  const tenths = Array.from({ length: 10 }, () => 0)
  for (const index of many) tenths[Math.floor(seededRandom(7, index) * 10)]! += 1
  for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(200)
})

test('the order of the arguments matters', () => {
  const same = many.slice(1, 500).filter((index) => seededRandom(index, index + 1) === seededRandom(index + 1, index))
  expect(same).toEqual([])
})

test('noise lies within 1.5 of zero, mostly near it and on both sides', () => {
  const drifts = many.map((index) => seededNoise(3, index))
  expect(Math.max(...drifts.map(Math.abs))).toBeLessThanOrEqual(1.5)
  expect(Math.abs(drifts.reduce((sum, value) => sum + value, 0) / drifts.length)).toBeLessThan(0.02)
  expect(drifts.filter((value) => Math.abs(value) < 0.5).length).toBeGreaterThan(drifts.length / 2)
})

test('every text has its own whole number', () => {
  const texts = many.slice(0, 2000).map((index) => `foot 1.35 home spot${index}`)
  const drawn = texts.map(hashText)
  expect(drawn.every(Number.isSafeInteger)).toBe(true)
  expect(new Set(drawn).size).toBeGreaterThan(1995)
  expect(hashText('home')).toBe(hashText('home'))
})
