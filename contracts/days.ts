import * as z from 'zod/mini'
import { IdParams, Instant } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { isDay } from '#contracts/rules/local-day.ts'
import { isTimeZone } from '#contracts/rules/time.ts'

/** The most days whose totals one call returns, and the most positions that it reads to compute missing totals. */
export const DAYS = { perCall: 400, positionsPerCall: 50_000 } as const

/** A calendar day, as `2026-03-02`. */
const CalendarDay = z.string().check(z.refine(isDay, { error: 'a day such as 2026-03-02' }))

/**
 * Totals of a tracker's day, by the rules of its history: metres and seconds of its trips, the highest speed in km/h, the longest stop in
 * seconds. Positions marked as wrong are not counted.
 */
export const DayTotals = z.object({
  day: z.string(),
  meters: z.int(),
  moving_seconds: z.int(),
  top_speed: z.number(),
  trips: z.int(),
  stops: z.int(),
  longest_stop_seconds: z.int(),
  positions: z.int(),
  first: Instant,
  last: Instant,
})
export type DayTotals = z.infer<typeof DayTotals>

/** `next` is the day at which a further call has to begin, when one call could not compute them all. */
export const DayList = z.object({ days: z.array(DayTotals), next: z.nullable(z.string()) })
export type DayList = z.infer<typeof DayList>

const DayQuery = z.object({
  from: CalendarDay,
  to: CalendarDay,
  tz: z.optional(z.string().check(z.refine(isTimeZone, { error: 'the name of a time zone such as Europe/Paris' }))),
})

/** The position of a tracker at an instant between two of its fixes, interpolated by time. */
const Border = z.object({ lat: z.number(), lng: z.number(), precision: z.int(), datetime: Instant })

/**
 * The interpolated positions at the first instant of a period and just after its last. Null where a fix has exactly that time, where the
 * fixes around it are more than six hours apart, or where there are none.
 */
export const BorderPair = z.object({ start: z.nullable(Border), end: z.nullable(Border) })
export type BorderPair = z.infer<typeof BorderPair>

const Point = z.object({ lat: z.number(), lng: z.number() })
const PointWithAddress = z.extend(Point, { address: z.nullable(z.string()) })

/**
 * A route that was travelled at least three times: the number of its trips, their typical metres and seconds, and the start of the latest
 * trip. `round` is true for a route that ends where it begins; `farthest` is its point farthest from the beginning. `points` are twelve
 * points along the route.
 */
export const Way = z.object({
  trips: z.int(),
  meters: z.int(),
  seconds: z.int(),
  last: Instant,
  round: z.boolean(),
  from: PointWithAddress,
  to: PointWithAddress,
  farthest: PointWithAddress,
  points: z.array(Point),
})
export type Way = z.infer<typeof Way>

/** A place where trips ended, and how many did. */
export const Destination = z.extend(PointWithAddress, { visits: z.int() })

/** The most frequent route first. `next` is the first day that is not included, when one call could not compute them all. */
export const WayList = z.object({ ways: z.array(Way), destinations: z.array(Destination), next: z.nullable(z.string()) })
export type WayList = z.infer<typeof WayList>

export const days = {
  list: {
    method: 'GET',
    path: '/devices/:id/days/',
    summary: `Reads the totals of each day with positions, at most ${DAYS.perCall} days; the days are those of a time zone, by default of the user`,
    access: rights.readTrackers,
    scope: 'positions:read',
    showsPositions: true,
    params: IdParams,
    query: DayQuery,
    response: { 200: DayList },
    errors: ['invalid_period'],
    safety: 'read',
    provenance: 'ours',
  },
  borders: {
    method: 'GET',
    path: '/devices/:id/days/borders/',
    summary: 'Reads where the tracker was when a period began and when it ended, between the positions within and beyond it',
    access: rights.readTrackers,
    scope: 'positions:read',
    showsPositions: true,
    params: IdParams,
    query: z.object({ not_before: Instant, not_after: z.optional(Instant) }),
    response: { 200: BorderPair },
    errors: ['invalid_period'],
    safety: 'read',
    provenance: 'ours',
  },
  ways: {
    method: 'GET',
    path: '/devices/:id/ways/',
    summary: `Reads the ways that were gone several times in at most ${DAYS.perCall} days, and the places where trips ended most often`,
    access: rights.readTrackers,
    scope: 'positions:read',
    showsPositions: true,
    params: IdParams,
    query: DayQuery,
    response: { 200: WayList },
    errors: ['invalid_period'],
    safety: 'read',
    provenance: 'ours',
  },
} as const satisfies Contract
