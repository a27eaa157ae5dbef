import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import type { Shape } from './city.ts'
import { type Column, readPack, readShapes, writePack, writeShapes } from './city-files.ts'

const dir = mkdtempSync(join(tmpdir(), 'city-files-'))
const file = join(dir, 'some.bin')
afterAll(() => rmSync(dir, { recursive: true }))

const column = fc.oneof(fc.float32Array({ noNaN: true }), fc.uint32Array(), fc.uint16Array(), fc.uint8Array())
const columns = fc.dictionary(
  fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
  column,
  { maxKeys: 6 },
)

describe('column files', () => {
  test('a column file is read back with its names, types, numbers and notes', () => {
    fc.assert(
      fc.property(columns, fc.jsonValue(), (written, notes) => {
        writePack(file, written, notes)
        const read = readPack<Record<string, Column>, unknown>(file)
        expect(Object.keys(read.columns)).toEqual(Object.keys(written))
        for (const [name, values] of Object.entries(written)) {
          expect(read.columns[name]?.constructor).toBe(values.constructor)
          expect([...read.columns[name]!]).toEqual([...values])
        }
        expect(JSON.stringify(read.notes)).toBe(JSON.stringify(notes))
      }),
      { numRuns: 50 },
    )
  })

  test('a column that is a view of a larger array is saved without the rest', () => {
    const whole = Uint16Array.from([1, 2, 3, 4, 5])
    writePack(file, { part: whole.subarray(1, 3) }, null)
    expect([...readPack<{ part: Uint16Array }, null>(file).columns.part]).toEqual([2, 3])
  })

  test('a column may be empty, and its notes may be in any script', () => {
    writePack(file, { none: new Uint8Array(0) }, { street: 'Rambla República 自転車' })
    const { columns: read, notes } = readPack<{ none: Uint8Array }, { street: string }>(file)
    expect([read.none.length, notes.street]).toEqual([0, 'Rambla República 自転車'])
  })

  test('a truncated column file is rejected', () => {
    writePack(file, { numbers: new Uint32Array(100) }, null)
    writeFileSync(file, Buffer.alloc(3))
    expect(() => readPack(file)).toThrow()
  })
})

test('shapes are read back as they were written', () => {
  const shapes: Shape[] = [
    { kind: 'suburb', name: 'Peñarol', geometry: 'point', lines: [[[-56.2, -34.8]]] },
    {
      kind: 'path',
      name: null,
      geometry: 'line',
      lines: [
        [
          [-56.123456, -34.876543],
          [-56.1, -34.9],
        ],
        [
          [0, 0],
          [180, -90],
        ],
      ],
    },
  ]
  writeShapes(dir, 'place', shapes)
  expect(readShapes(dir, 'place')).toEqual(shapes)
})

test('lines are stored as short differences between points', () => {
  const line = Array.from({ length: 1000 }, (_, index): [number, number] => [-56 + index * 1e-4, -34])
  writeShapes(dir, 'rail', [{ kind: 'rail', name: null, geometry: 'line', lines: [line] }])
  expect(readFileSync(join(dir, 'rail.json')).length).toBeLessThan(8000)
})

describe('column files', () => {
  const columns = {
    a: Uint8Array.of(1, 2, 3),
    b: Float32Array.of(0.5, -1),
    c: Uint32Array.of(4_000_000_000),
    d: Uint16Array.of(65_535),
    e: new Uint8Array(),
  }

  test('columns are read back whatever the length of their notes', async () => {
    expect(
      await collectFailures(
        ['', 'ñ', 'longer notes, so that the header moves'],
        (notes) => `notes "${notes}"`,
        (notes) => {
          writePack(join(dir, 'pack.bin'), columns, notes)
          const read = readPack<typeof columns, string>(join(dir, 'pack.bin'))
          expect(read.notes).toBe(notes)
          expect(read.columns).toEqual(columns)
        },
      ),
    ).toEqual([])
  })
})
