import { expect, test } from 'vitest'
import { centreOf, clampCrop, moveCrop, sideOf } from './crop-dialog.tsx'

const PICTURE = { width: 900, height: 600 }

test('a new crop is the largest square in the middle of the picture', () => {
  const crop = centreOf(PICTURE)
  expect(crop).toEqual({ x: 450, y: 300, zoom: 1 })
  expect(sideOf(PICTURE, crop)).toBe(600)
})

test('a picture follows the finger, and no farther than its edge', () => {
  const crop = centreOf(PICTURE)
  expect(moveCrop(PICTURE, crop, { x: 50, y: 0 }, 300)).toEqual({ x: 350, y: 300, zoom: 1 })
  expect(moveCrop(PICTURE, crop, { x: 500, y: 500 }, 300)).toEqual({ x: 300, y: 300, zoom: 1 })
  expect(moveCrop(PICTURE, crop, { x: -500, y: -500 }, 300)).toEqual({ x: 600, y: 300, zoom: 1 })
})

test('an enlarged picture can be moved in both directions, and fills the frame again when it is reduced', () => {
  const corner = moveCrop(PICTURE, { ...centreOf(PICTURE), zoom: 3 }, { x: 900, y: 900 }, 300)
  expect(corner).toEqual({ x: 100, y: 100, zoom: 3 })
  expect(clampCrop(PICTURE, { ...corner, zoom: 0.5 })).toEqual({ x: 300, y: 300, zoom: 1 })
  expect(clampCrop(PICTURE, { ...corner, zoom: 9 }).zoom).toBe(4)
})
