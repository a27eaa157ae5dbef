import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHeap } from './routing.ts'

test('items are popped in the order of their keys', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true })), (keys) => {
      const heap = createHeap()
      keys.forEach((key, item) => {
        heap.push(item, key)
      })
      const order = keys.map(() => keys[heap.pop()])
      expect(order).toEqual([...keys].sort((a, b) => a - b))
      expect(heap.pop()).toBe(-1)
    }),
  )
})

test('a cleared heap can be used again', () => {
  const heap = createHeap()
  heap.push(1, 5)
  heap.clear()
  expect(heap.pop()).toBe(-1)
  heap.push(2, 7)
  expect(heap.pop()).toBe(2)
})
