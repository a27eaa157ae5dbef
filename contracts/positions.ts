import * as z from 'zod/mini'
import { Id, IdParams, Instant, Latitude, Longitude, openEnum, Whole } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import { type Contract, file } from '#contracts/lib/route.ts'
import { POSITION_MARKS } from '#contracts/rules/history/filter.ts'
import { FIX_FAULTS, MEASURED, PRECISION, REFUSAL_REASONS } from '#contracts/rules/tracking/fix.ts'
import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import { BATTERY_RANGE } from '#contracts/rules/tracking/tracker.ts'
import { liveStream } from './live.ts'

/** Maximum number of fixes per message. */
export const MESSAGE_MAX_POSITIONS = 1000
/** The most positions whose mark one call changes. */
export const MARK_MAX_POSITIONS = 1000

export const HistoryPoint = z.object({
  id: Id,
  lat: Latitude,
  lng: Longitude,
  precision: z.int(),
  datetime: Instant,
  address: z.nullable(z.string()),
  event: z.nullable(openEnum(EVENT_TYPES)),
  battery: z.nullable(z.number()),
  /** As measured by the device: km/h, degrees clockwise from north, metres above sea level. Absent where it did not measure. */
  speed: z.optional(z.number()),
  course: z.optional(z.number()),
  altitude: z.optional(z.number()),
  /** Absent for a position that counts as right. */
  mark: z.optional(openEnum(POSITION_MARKS)),
})
export type HistoryPoint = z.infer<typeof HistoryPoint>

export const HistoryPage = z.object({
  count: z.int(),
  next: z.nullable(z.string()),
  previous: z.nullable(z.string()),
  results: z.array(HistoryPoint),
})
export type HistoryPage = z.infer<typeof HistoryPage>

/** An empty value counts as omitted, so that the documented URL template works as it stands. */
export const leftOut = <T extends z.ZodMiniType>(schema: T) =>
  z.pipe(
    z.optional(z.union([schema, z.literal('')])),
    z.transform((value) => (value === '' ? undefined : value)),
  )

const Period = { not_before: leftOut(Instant), not_after: leftOut(Instant) }

/** A device's own measurements: km/h, degrees clockwise from north, metres above sea level. */
export const Measured = z.object({
  speed: z.optional(z.number().check(z.minimum(MEASURED.speed[0]), z.maximum(MEASURED.speed[1]))),
  course: z.optional(z.number().check(z.minimum(0), z.maximum(360))),
  altitude: z.optional(z.number().check(z.minimum(MEASURED.altitude[0]), z.maximum(MEASURED.altitude[1]))),
})

const Fix = z.object({
  lat: Latitude,
  lng: Longitude,
  precision: z.int().check(z.minimum(0), z.maximum(PRECISION.max)),
  datetime: Instant,
  event: z.optional(z.enum(EVENT_TYPES)),
  ...Measured.shape,
})

/** A device message: at least one of the two numbers, and any number of fixes, possibly none. */
export const Message = z
  .object({
    identifier: z.optional(z.string()),
    serial: z.optional(z.string()),
    battery: z.optional(z.number().check(z.minimum(BATTERY_RANGE.unknown), z.maximum(BATTERY_RANGE.millivolts))),
    positions: z.array(Fix).check(z.maxLength(MESSAGE_MAX_POSITIONS)),
  })
  .check(
    z.refine((body) => body.identifier !== undefined || body.serial !== undefined, {
      path: ['identifier'],
      error: 'identifier or serial is required',
    }),
  )
export type Message = z.infer<typeof Message>

/** Numbers of new and of already known fixes; the fixes rejected for their time by index in the message (absent without any). */
export const Receipt = z.object({
  accepted: z.int(),
  ignored: z.int(),
  refused: z.optional(z.array(z.object({ index: z.int(), reason: z.enum(FIX_FAULTS) }))),
})
export type Receipt = z.infer<typeof Receipt>

/** Days for which rejected positions are counted. */
export const REFUSED_DAYS = 30

/**
 * Positions rejected for their time, or because they were no fix: the number since `first_at`, when the latest one arrived, and its time.
 */
const RefusedPositions = z.object({
  reason: openEnum(REFUSAL_REASONS),
  count: z.int(),
  first_at: Instant,
  last_at: Instant,
  last_datetime: Instant,
})

/** Ids of positions of the tracker. `kept`: they are right although they look wrong; null: the filter judges them again. */
export const MarkChange = z.object({
  positions: z.array(Id).check(z.minLength(1), z.maxLength(MARK_MAX_POSITIONS)),
  mark: z.nullable(z.literal('kept')),
})
export type MarkChange = z.infer<typeof MarkChange>

export const positions = {
  history: {
    method: 'GET',
    path: '/devices/:id/tracker_data/',
    summary: 'Reads the positions of a period, oldest first, 500 a page; the last 24 hours when no period is given',
    access: rights.readTrackers,
    scope: 'positions:read',
    showsPositions: true,
    params: IdParams,
    query: z.object({ ...Period, page: leftOut(Whole.check(z.minimum(1))) }),
    response: { 200: HistoryPage },
    errors: ['invalid_period'],
    safety: 'read',
    provenance: 'assumed',
  },
  refused: {
    method: 'GET',
    path: '/devices/:id/tracker_data/refused/',
    summary: 'Counts the positions that were not stored, by reason: their time, or no satellite fix; for 30 days after the last one',
    access: rights.readTrackers,
    scope: 'positions:read',
    params: IdParams,
    response: { 200: z.array(RefusedPositions) },
    safety: 'read',
    provenance: 'ours',
  },
  track: {
    method: 'GET',
    path: '/devices/:id/tracker_data/track/',
    summary: 'Reads all positions of a period in one compact answer, whose bytes `contracts/track/codec.ts` describes',
    access: rights.readTrackers,
    scope: 'positions:read',
    showsPositions: true,
    params: IdParams,
    query: z.object(Period),
    response: { 200: file('application/vnd.whereabouts.track') },
    errors: ['invalid_period'],
    safety: 'read',
    provenance: 'ours',
  },
  exportCsv: {
    method: 'GET',
    path: '/devices/:id/tracker_data/export_csv/',
    summary: 'Downloads the positions of a period as csv',
    access: rights.readTrackers,
    scope: 'positions:read',
    showsPositions: true,
    costly: true,
    params: IdParams,
    query: z.object(Period),
    response: { 200: file('text/csv') },
    errors: ['invalid_period'],
    safety: 'read',
    provenance: 'assumed',
  },
  changeMarks: {
    method: 'PATCH',
    path: '/devices/:id/tracker_data/marks/',
    summary: 'Keeps positions that look wrong, or has them judged again; the tracker moves to its newest position that is believed',
    access: rights.changeTrackers,
    scope: 'positions:write',
    params: IdParams,
    body: MarkChange,
    response: { 200: z.object({ changed: z.int() }) },
    safety: 'reversible',
    provenance: 'ours',
  },
  live: liveStream,
  ingest: {
    method: 'POST',
    path: '/devices/ingest/',
    summary: 'Ingests a message of a device, authenticated by its key in `X-Device-Key`',
    access: 'device',
    body: Message,
    response: { 201: Receipt },
    errors: ['unknown_tracker'],
    safety: 'destructive',
    provenance: 'assumed',
  },
} as const satisfies Contract
