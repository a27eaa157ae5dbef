import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addMonths, newEndDate } from './end-date.ts'

const instants = fc.date({ min: new Date('1990-01-01'), max: new Date('2190-01-01'), noInvalidDate: true })
const counts = fc.integer({ min: 0, max: 120 })
/** Months since the year 0. */
const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()
const timeOf = (date: Date) => date.toISOString().slice(10)

test('adding months keeps the day, clamped to the end of the month, and the time of day', () => {
  fc.assert(
    fc.property(instants, counts, (from, months) => {
      const date = addMonths(from, months)
      expect(monthOf(date)).toBe(monthOf(from) + months)
      expect(timeOf(date)).toBe(timeOf(from))
      const dayAfter = new Date(date.getTime() + 86_400_000)
      const isLastOfMonth = dayAfter.getUTCDate() === 1
      expect(date.getUTCDate() === from.getUTCDate() || (isLastOfMonth && date.getUTCDate() < from.getUTCDate())).toBe(true)
    }),
  )
})

test('adding twelve months keeps the day of the year, except for 29 February', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: 1, max: 20 }), (from, years) => {
      const date = addMonths(from, years * 12)
      expect(date.getUTCFullYear()).toBe(from.getUTCFullYear() + years)
      if (from.toISOString().slice(5, 10) !== '02-29') expect(date.toISOString().slice(4)).toBe(from.toISOString().slice(4))
    }),
  )
})

test('an end in the past counts like no end', () => {
  fc.assert(
    fc.property(instants, instants, counts, counts, (now, end, months, extra) => {
      const [past, future] = end <= now ? [end, now] : [now, end]
      expect(newEndDate(future, past, months, extra)).toEqual(newEndDate(future, null, months, extra))
      expect(newEndDate(past, future, months, extra)).toEqual(addMonths(future, months + extra))
    }),
  )
})
