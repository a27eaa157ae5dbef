import { expect, test } from 'vitest'
import { systemIds } from '#server/ports/ids.ts'
import { createSeededIds } from './seeded-ids.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const some = (seed: number) => {
  const ids = createSeededIds(seed)
  return Array.from({ length: 200 }, (_, index) => (index % 2 ? ids.token() : ids.uuid()))
}

test('ids have the shape of real ones: version 4 uuids and tokens of 40 hex digits', () => {
  for (const ids of [createSeededIds(1), systemIds]) {
    expect(ids.uuid()).toMatch(UUID)
    expect(ids.token()).toMatch(/^[0-9a-f]{40}$/)
  }
})

test('the same seed gives the same ids in the same order, another seed others', () => {
  expect(some(7)).toEqual(some(7))
  const seven = new Set(some(7))
  expect(some(8).filter((id) => seven.has(id))).toEqual([])
})

test('ids are unique', () => {
  expect(new Set(some(1)).size).toBe(200)
})

test('system ids are random', () => {
  expect(systemIds.token()).not.toBe(systemIds.token())
})
