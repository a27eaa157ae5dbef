import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import type { Shape } from './city.ts'
import { readPack, writePack } from './pack.ts'
import { readShapes, writeShapes } from './shapes.ts'

const dir = mkdtempSync(join(tmpdir(), 'shapes-'))

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
