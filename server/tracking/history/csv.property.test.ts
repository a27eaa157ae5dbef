import { buffer } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeCsvCell } from '#contracts/rules/text.ts'
import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import type { NewPosition, PositionColumns } from '#db/positions.ts'
import { HISTORY_CSV_COLUMNS, historyCsv } from './csv.ts'

const rows: fc.Arbitrary<NewPosition[]> = fc.uniqueArray(fc.integer({ min: 0, max: 4_000_000_000 }), { maxLength: 30 }).chain((times) =>
  fc.tuple(
    ...times
      .sort((a, b) => a - b)
      .map((time) =>
        fc.record({
          time: fc.constant(time),
          lat: fc.integer({ min: -900_000_000, max: 900_000_000 }),
          lng: fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }),
          precision: fc.integer({ min: 0, max: 100_000 }),
          event: fc.option(fc.integer({ min: 0, max: EVENT_TYPES.length - 1 })),
          battery: fc.option(fc.integer({ min: -1, max: 5000 })),
        }),
      ),
  ),
)
const NAMES = ['time', 'lat', 'lng', 'precision', 'event', 'battery'] as const
const toColumns = (stored: NewPosition[]) =>
  Object.fromEntries(NAMES.map((name) => [name, stored.map((row) => row[name])])) as PositionColumns
const labels = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom('"', ',', ';', '\n', '\r', '=', "'", 'Ñ', '東京', ' ')).map((parts) => parts.join('')),
)

test('every stored position is read back from the export by a standard CSV parser', async () => {
  await fc.assert(
    fc.asyncProperty(rows, labels, async (stored, label) => {
      const positions = { columns: (_: number, from: number) => toColumns(stored.filter(({ time }) => time >= from)) }
      const geocode = { search: () => [], nearest: () => ({ lat: 0, lng: 0, label, street: '', number: '', neighbourhood: null }) }
      const whole = { from: new Date(0), to: new Date(4_000_000_000_000) }
      const text = (await buffer(historyCsv({ positions: positions as never, geocode }, 1, whole))).toString()
      const [header, ...read] = parse(text, { bom: true, record_delimiter: '\r\n' }) as string[][]
      expect(header).toEqual([...HISTORY_CSV_COLUMNS])
      expect(read).toEqual(
        stored.map(({ time, lat, lng, precision, event, battery }) => [
          `${new Date(time * 1000).toISOString().slice(0, 19)}Z`,
          (lat / 1e7).toFixed(7),
          (lng / 1e7).toFixed(7),
          String(precision),
          escapeCsvCell(label),
          event === null ? '' : EVENT_TYPES[event],
          battery === null ? '' : String(battery),
        ]),
      )
    }),
  )
})
