import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ExportFormat } from '#contracts/data.ts'
import { POSITION_MARKS } from '#contracts/rules/history/filter.ts'
import { MEASURED } from '#contracts/rules/tracking/fix.ts'
import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import { findNoAddress } from '#db/addresses.ts'
import type { NewPosition, PositionColumns } from '#db/positions.ts'
import { exportHistory } from '#server/tracking/export/export.ts'
import { FIELDS } from '#server/tracking/import/formats/fixes.ts'
import { orderByTime, readFile } from '#server/tracking/import/formats/read-file.ts'
import { packBlocks, unpackBlock } from './imports.store.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const EARLIEST = Date.parse('2000-01-01T00:00:00Z') / 1000
const [KEPT, JUMP] = [POSITION_MARKS.indexOf('kept'), POSITION_MARKS.indexOf('jump')]

const optional = (min: number, max: number) => fc.option(fc.integer({ min, max }))
const position = (time: number): fc.Arbitrary<Required<NewPosition>> =>
  fc
    .record({
      time: fc.constant(time),
      lat: fc.integer({ min: -900_000_000, max: 900_000_000 }),
      lng: fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }),
      precision: fc.integer({ min: 0, max: 100_000 }),
      event: optional(0, EVENT_TYPES.length - 1),
      battery: optional(-1, 5000),
      speed: optional(MEASURED.speed[0] * 10, MEASURED.speed[1] * 10),
      course: optional(0, 359),
      altitude: optional(MEASURED.altitude[0], MEASURED.altitude[1]),
      mark: fc.option(fc.constantFrom(KEPT, JUMP)),
    })
    // The coordinates of receivers without a fix, which no stored position has.
    .filter(({ lat, lng }) => lat !== 0 || lng !== 0)
const rows = fc
  .uniqueArray(fc.integer({ min: EARLIEST, max: NOW.getTime() / 1000 }), { maxLength: 40 })
  .chain((times) => fc.tuple(...times.sort((a, b) => a - b).map(position)))

/** The positions of a file that is the export of these positions. */
async function exportAndRead(stored: NewPosition[], format: ExportFormat, name: string) {
  const toColumns = (from: number) => {
    const left = stored.filter(({ time }) => time >= from)
    return Object.fromEntries(FIELDS.map((field) => [field, left.map((row) => row[field] ?? null)])) as PositionColumns
  }
  const positions = { columns: (_: number, from: number) => toColumns(from) }
  const world = { positions: positions as never, geocode: { search: () => [], nearest: findNoAddress } }
  const { content } = exportHistory(world, { id: 1, name } as never, { from: new Date(0), to: NOW }, format)
  const bytes = await buffer(Readable.from(content as AsyncIterable<string>))
  const { fixes } = await readFile(Readable.from([bytes]), NOW)
  const read: NewPosition[] = []
  for await (const block of packBlocks(fixes.columns(), await orderByTime(fixes.times()))) read.push(...unpackBlock(block))
  return read
}

test.each(['csv', 'geojson'] as const)('every position of a %s export is unchanged after an import', async (format) => {
  await fc.assert(
    fc.asyncProperty(rows, fc.string({ unit: 'grapheme' }), async (stored, name) => {
      fc.pre(stored.length > 0)
      expect(await exportAndRead(stored, format, name)).toEqual(stored)
    }),
  )
})

test.each(['gpx', 'kml'] as const)(
  'every position of a %s export is unchanged after an import, except those that look wrong and the marks',
  async (format) => {
    await fc.assert(
      fc.asyncProperty(rows, fc.string({ unit: 'binary' }), async (stored, name) => {
        const right = stored.filter(({ mark }) => mark !== JUMP).map((row) => ({ ...row, mark: null }))
        fc.pre(right.length > 0)
        expect(await exportAndRead(stored, format, name)).toEqual(right)
      }),
    )
  },
)
