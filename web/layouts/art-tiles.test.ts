import { expect, test } from 'vitest'
import { tilesAround } from './art-tiles.ts'

const montevideo = { lat: -34.9035, lng: -56.158 }

test('the tile in the middle holds the point', () => {
  const middle = tilesAround(montevideo, 14, { width: 10, height: 10 })[4]
  expect(middle).toMatchObject({ x: 5636, y: 9888 })
  expect(middle?.left).toBeGreaterThan(-256)
  expect(middle?.left).toBeLessThanOrEqual(0)
})

test('the tiles cover the whole picture', () => {
  const tiles = tilesAround(montevideo, 14, { width: 700, height: 800 })
  expect(Math.min(...tiles.map(({ left }) => left))).toBeLessThanOrEqual(-350)
  expect(Math.max(...tiles.map(({ left }) => left + 256))).toBeGreaterThanOrEqual(350)
  expect(Math.max(...tiles.map(({ top }) => top + 256))).toBeGreaterThanOrEqual(400)
  expect(new Set(tiles.map(({ x, y }) => `${x}/${y}`)).size).toBe(tiles.length)
})
