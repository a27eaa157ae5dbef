import * as z from 'zod/mini'
import { IdParams, Instant } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { isDay } from '#contracts/rules/local-day.ts'
import { isTimeZone } from '#contracts/rules/time.ts'

/** Most days whose totals one call returns, and positions that it reads to compute those that are missing. */
export const DAYS = { perCall: 400, positionsPerCall: 50_000 } as const

/** A calendar day, as `2026-03-02`. */
const CalendarDay = z.string().check(z.refine(isDay, { error: 'a day such as 2026-03-02' }))

/**
 * What a day of a tracker amounts to, by the rules of its history: metres and seconds of its trips, the highest speed in km/h, the longest
 * stop in seconds. Positions that look wrong are not counted.
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

/** `next` is the first day that a further call has to begin with, when there was too much to compute for one. */
export const DayList = z.object({ days: z.array(DayTotals), next: z.nullable(z.string()) })
export type DayList = z.infer<typeof DayList>

const DayQuery = z.object({
  from: CalendarDay,
  to: CalendarDay,
  tz: z.optional(z.string().check(z.refine(isTimeZone, { error: 'the name of a time zone such as Europe/Paris' }))),
})

/** Where a tracker was at an instant between two of its positions, in proportion to the time. */
const Border = z.object({ lat: z.number(), lng: z.number(), precision: z.int(), datetime: Instant })

/**
 * Where a tracker was at the first instant of a period and at the one after its last. Null where positions of more than six hours apart, or
 * none, are beside it, and where a position of that instant says it.
 */
export const BorderPair = z.object({ start: z.nullable(Border), end: z.nullable(Border) })
export type BorderPair = z.infer<typeof BorderPair>

const Point = z.object({ lat: z.number(), lng: z.number() })
const PointWithAddress = z.extend(Point, { address: z.nullable(z.string()) })

/**
 * A way that was gone at least three times: the number of its trips, their usual metres and seconds, and when the last of them began. `round`
 * is true where it ends where it begins; `farthest` is the point farthest from its beginning. `points` are twelve along the way.
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

/** A place at which trips ended, and how many of them. */
export const Destination = z.extend(PointWithAddress, { visits: z.int() })

/** Most frequent first. `next` is the first day that is not included, when there was too much to compute for one call. */
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
