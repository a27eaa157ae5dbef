import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTrackEncoder, decodeTrack, type EncodablePosition } from './codec.ts'
import { joinPositions, pointAt } from './columns.ts'
import { createVarintReader, createVarintWriter } from './varint.ts'

const degrees = (limit: number) =>
  fc.oneof(fc.integer({ min: -limit * 1e7, max: limit * 1e7 }), fc.constantFrom(-limit * 1e7, limit * 1e7, 0))
const text = fc.option(
  fc.oneof(fc.constantFrom('', 'Calle Uno 1', 'Müllerstraße 5, 東京 🐕'), fc.string({ unit: 'grapheme' }), fc.constant('\uFEFFmark')),
)

/**
 * Any position, including ones that no tracker sends, in any order: jumps over the antimeridian and back in time, unknown values, huge ids.
 */
const position: fc.Arbitrary<EncodablePosition> = fc.record({
  id: fc.oneof(fc.integer({ min: 0, max: 1e6 }), fc.constantFrom(0, Number.MAX_SAFE_INTEGER, 2_000_000 * 2 ** 32)),
  time: fc.oneof(fc.integer({ min: 0, max: 2 ** 33 }), fc.constantFrom(0, 2 ** 31 - 1, 2 ** 31, 2 ** 32)),
  lat: degrees(90),
  lng: degrees(180),
  precision: fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.constant(0)),
  event: fc.option(fc.constantFrom('position', 'moving', 'an event of another backend')),
  address: text,
  battery: fc.option(fc.integer({ min: -1, max: 10_000 })),
  speed: fc.option(fc.integer({ min: 0, max: 20_000 })),
  course: fc.option(fc.integer({ min: 0, max: 359 })),
  altitude: fc.option(fc.integer({ min: -1000, max: 100_000 })),
  mark: fc.option(fc.constantFrom('jump', 'kept', 'a mark of another backend')),
})

function encode(blocks: readonly (readonly EncodablePosition[])[]) {
  const encoder = createTrackEncoder()
  return Buffer.concat([...blocks.map((block) => encoder.encode(block)), encoder.end()])
}

function decode(bytes: Uint8Array) {
  const work = decodeTrack(bytes)
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

const asPoint = ({ time, lat, lng, speed, course, altitude, mark, ...rest }: EncodablePosition) => ({
  ...rest,
  ...(speed !== null && { speed: speed / 10 }),
  ...(course !== null && { course }),
  ...(altitude !== null && { altitude }),
  ...(mark !== null && { mark }),
  lat: lat / 1e7,
  lng: lng / 1e7,
  datetime: new Date(time * 1000).toISOString(),
})

describe('compact history', () => {
  test('any positions, in blocks of any size, are decoded exactly', () => {
    fc.assert(
      fc.property(fc.array(fc.array(position, { maxLength: 40 }), { maxLength: 6 }), (blocks) => {
        const decoded = decode(encode(blocks))
        const expected = blocks.flat()
        expect(decoded.length).toBe(expected.length)
        for (const [index, each] of expected.entries()) expect(pointAt(decoded, index)).toEqual(asPoint(each))
      }),
      { numRuns: 300 },
    )
  })

  test('parts of several responses are joined, each with its own texts', () => {
    const parts = [[{ ...at(0), address: 'Calle Uno 1', event: 'moving' }, at(1)], [{ ...at(2), address: 'Calle Dos 2' }], [at(3)]]
    const joined = joinPositions(parts.map((part) => decode(encode([part]))))
    expect(parts.flat().map((_, index) => pointAt(joined, index))).toEqual(parts.flat().map(asPoint))
  })

  test('an empty history is decoded as no positions', () => {
    expect(decode(encode([])).length).toBe(0)
    expect(decode(encode([[], []])).length).toBe(0)
  })

  test('a response truncated at any point is rejected', () => {
    const whole = encode([[at(0), at(1)], [at(2)]])
    for (let length = 0; length < whole.length; length++) expect(() => decode(whole.subarray(0, length))).toThrow(RangeError)
  })

  test('bytes that are not a history are rejected without endless decoding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decode(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
      }),
      { numRuns: 2000 },
    )
    expect(() => decode(new TextEncoder().encode('<!doctype html>'))).toThrow(RangeError)
    expect(() => decode(Buffer.concat([encode([[at(0)]]), Buffer.of(0)]))).toThrow('Bytes follow the end')
  })

  test('a walk with a fix every few seconds takes at most eight bytes per position', () => {
    const walk = Array.from({ length: 2000 }, (_, index) => at(index))
    expect(encode([walk]).length / walk.length).toBeLessThan(8)
  })
})

/** A step of a walk: some metres on, every five seconds, along a street of ten houses. */
const at = (index: number): EncodablePosition => ({
  id: 7 * 2 ** 32 + 1_770_000_000 + index * 5,
  time: 1_770_000_000 + index * 5,
  lat: -349_000_000 + index * 731 + ((index * 7919) % 400),
  lng: -561_900_000 + index * 412 + ((index * 104_729) % 400),
  precision: 5 + (index % 4),
  event: null,
  address: `Calle Uno ${Math.floor(index / 50) % 10}`,
  battery: 90 - Math.floor(index / 500),
  speed: null,
  course: null,
  altitude: null,
  mark: null,
})

test('every safe integer survives a varint, and small ones take one byte', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -200, max: 200 }))), (values) => {
      const writer = createVarintWriter()
      for (const value of values) writer.write(value)
      const reader = createVarintReader(writer.take())
      expect(values.map(() => reader.read())).toEqual(values.map((value) => value + 0))
      expect(reader.isAtEnd()).toBe(true)
    }),
    { numRuns: 500 },
  )
  const writer = createVarintWriter()
  writer.write(-63)
  expect(writer.take().length).toBe(1)
})
