import { expect, test } from 'vitest'
import { splitIntoLegs } from '#contracts/rules/history/trips.ts'
import { finish } from '#contracts/rules/work.ts'
import { toPositionColumns } from '#contracts/track/columns.ts'
import { movingByHour, summarizeDay } from './day.ts'

const at = (hour: number, minute = 0) => new Date(2026, 2, 2, hour, minute)
const point = (id: number, date: Date, lat: number) => ({
  id,
  lat,
  lng: -56.16,
  precision: 5,
  datetime: date.toISOString(),
  address: null,
  event: null,
  battery: null,
})

test('R-1.8 a walk of 40 minutes counts in every hour it spans', () => {
  const home = [0, 5, 6].map((hour, id) => point(id, at(hour, hour === 6 ? 40 : 0), -34.9))
  const walk = [50, 60, 70, 80].map((minute, id) => point(10 + id, at(6, minute), -34.9 - (id + 1) * 0.004))
  const rest = [8, 9].map((hour, id) => point(20 + id, at(hour), -34.916))
  const legs = finish(splitIntoLegs(toPositionColumns([...home, ...walk, ...rest])))
  const day = summarizeDay(legs, at(0))
  expect(day.meters).toBeGreaterThan(1500)
  expect(day.meters).toBeLessThan(2000)
  expect(day.byHour[6]).toBeGreaterThanOrEqual(19)
  expect(day.byHour[7]).toBeGreaterThanOrEqual(19)
  expect(day.byHour.filter((minutes) => minutes > 0)).toHaveLength(2)
})

test('a day without points has no movement', () => {
  expect(summarizeDay([], at(0))).toMatchObject({ meters: 0, movingMs: 0 })
  expect(movingByHour([], 0)).toHaveLength(24)
})
