import type { ImportFormat, ImportState } from '#contracts/lib/constants.ts'
import type { RefusalReason } from '#contracts/rules/tracking/reporting.ts'
import { bool, index, instant, int, json, pk, primaryKey, str, table } from './columns.ts'
import { devices } from './devices.ts'

/**
 * The one table that grows without bound: clustered by (device, time), a row is its own index (`WITHOUT ROWID` in the migration).
 * Degrees are times 1e7, times are seconds since 1970, events are indexes into `EVENT_TYPES`, marks into `POSITION_MARKS`. `speed` is in
 * tenths of km/h, `course` in degrees, `altitude` in metres, as the device measured them.
 */
export const positions = table(
  'positions',
  {
    deviceId: int().notNull(),
    time: int().notNull(),
    lat: int().notNull(),
    lng: int().notNull(),
    precision: int().notNull(),
    event: int(),
    battery: int(),
    speed: int(),
    course: int(),
    altitude: int(),
    mark: int(),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.time] })],
)

/**
 * What a day of a tracker amounts to, from second `start` to before second `end`: computed from its positions and recomputed when they change.
 * The days of two time zones are the same row where they begin and end together. `topSpeed` is in tenths of km/h.
 */
export const daySummaries = table(
  'day_summaries',
  {
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    start: int().notNull(),
    end: int().notNull(),
    meters: int().notNull(),
    movingSeconds: int().notNull(),
    topSpeed: int().notNull(),
    trips: int().notNull(),
    stops: int().notNull(),
    longestStopSeconds: int().notNull(),
    positions: int().notNull(),
    firstTime: int(),
    lastTime: int(),
    /** The trips of the day as JSON (`TripSketch` in `contracts/rules/history/ways.ts`); null for days that were summarized without them. */
    sketches: str(),
    /** Whether positions of the day have changed since. */
    isStale: bool().notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.start, t.end] }), index('day_summaries_by_stale').on(t.isStale, t.end)],
)

/** What judging the next fix of a tracker needs, as JSON (`contracts/rules/history/filter.ts`, `crossing.ts`). */
export const trackingStates = table('tracking_states', {
  deviceId: int()
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  state: str().notNull(),
})

/** Periods of trackers that received positions late, from second `start` on; marked again at `dueAt`. */
export const latePeriods = table(
  'late_periods',
  {
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    start: int().notNull(),
    dueAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.start] }), index('late_periods_by_due').on(t.dueAt)],
)

/**
 * What a tracker reported beside positions, newest last; also what the live stream resumes from. Where the log grows long (PostgreSQL), a
 * migration adds an index by account.
 */
export const liveEvents = table(
  'live_events',
  {
    id: pk(),
    accountId: int().notNull().default(0),
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    type: str<'position' | 'status' | 'mode' | 'alert' | 'network'>().notNull(),
    body: str().notNull(),
    at: instant().notNull(),
  },
  (t) => [index('live_events_by_device').on(t.deviceId)],
)

/** Events up to `prunedTo` are no longer stored: of an account, or of all where the account is 0. */
export const liveMarks = table('live_marks', { accountId: int().primaryKey(), prunedTo: int().notNull() })

/** A file of positions that was read for a tracker. `added` counts the positions that were new. */
export const imports = table(
  'imports',
  {
    id: pk(),
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    filename: str().notNull(),
    format: str<ImportFormat>().notNull(),
    state: str<ImportState>().notNull(),
    count: int().notNull(),
    saved: int().notNull().default(0),
    added: int().notNull().default(0),
    firstAt: instant().notNull(),
    lastAt: instant().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [index('imports_by_device').on(t.deviceId)],
)

/**
 * The positions of an import in blocks, oldest first, packed by `packPositions`. A block that was saved has only the seconds of the
 * positions that were new, so that undoing the import deletes these and no others.
 */
export const importBlocks = table(
  'import_blocks',
  {
    importId: int()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    nth: int().notNull(),
    isSaved: bool().notNull().default(false),
    data: json<Record<string, (number | null)[] | undefined>>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.nth] })],
)

/** Positions that were not stored, by tracker and reason, for 30 days after the last one. */
export const refusedFixes = table(
  'refused_fixes',
  {
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    reason: str<RefusalReason>().notNull(),
    /** Positions since `firstAt`. */
    count: int().notNull(),
    firstAt: instant().notNull(),
    lastAt: instant().notNull(),
    /** The time that the last one had. */
    lastTime: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.reason] })],
)
