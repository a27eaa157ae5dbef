import type { ImportFormat, ImportState } from '#contracts/data.ts'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { RefusalReason } from '#contracts/rules/tracking/fix.ts'
import type { Usual } from '#contracts/rules/tracking/usual/learn.ts'
import { bool, byTracker, index, instant, int, json, pk, primaryKey, str, table } from './columns.ts'
import { devices } from './devices.ts'

/**
 * The one table that grows without bound: clustered by (device, time), a row is its own index (`WITHOUT ROWID` in the migration).
 * Degrees are times 1e7, times are seconds since 1970, events are indexes into `EVENT_TYPES`, marks into `POSITION_MARKS`. `speed` is in
 * tenths of km/h, `course` in degrees, `altitude` in metres, as the device measured them.
 */
export const positions = byTracker(
  table(
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
  ),
)

/**
 * Totals of a tracker's day, from second `start` to before second `end`: computed from its positions and recomputed when they change. The
 * days of two time zones share a row if they begin and end together. `topSpeed` is in tenths of km/h.
 */
export const daySummaries = byTracker(
  table(
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
      /**
       * The trips of the day as JSON (`TripSketch` in `contracts/rules/history/ways.ts`); null for days summarized before trips were stored.
       */
      sketches: str(),
      /** Whether positions of the day have changed since it was summarized. */
      isStale: bool().notNull().default(false),
    },
    (t) => [primaryKey({ columns: [t.deviceId, t.start, t.end] }), index('day_summaries_by_stale').on(t.isStale, t.end)],
  ),
)

/**
 * Where a tracker usually is, learnt from its positions; the row is there once an owner has wanted to know. Whatever deletes positions also
 * deletes what was learnt, increments `version` and lets it be learnt again.
 */
export const usualAreas = table(
  'usual_areas',
  {
    deviceId: int()
      .primaryKey()
      .references(() => devices.id, { onDelete: 'cascade' }),
    isOn: bool().notNull(),
    /** Packed by `packCells`; null while nothing is learnt. */
    cells: str(),
    learnt: json<Omit<Usual, 'cells'>>(),
    learntAt: instant(),
    /** When to learn next; null while it is off. */
    dueAt: instant(),
    version: int().notNull().default(0),
    /** Proposals that users have dismissed: a place by its middle, a way by three points. */
    dismissed: json<LatLng[][]>(),
  },
  (t) => [index('usual_areas_by_due').on(t.dueAt)],
)

/** The state needed to judge the next fix of a tracker, as JSON (`contracts/rules/history/filter.ts`, `crossing.ts`). */
export const trackingStates = table('tracking_states', {
  deviceId: int()
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  state: str().notNull(),
})

/** Periods of trackers that received positions late, from second `start` on; they are marked again at `dueAt`. */
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
 * What a tracker reported besides positions, newest last; the live stream also resumes from it. For long logs (PostgreSQL) a migration adds
 * an index by account.
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

/** Events up to `prunedTo` have been deleted: of an account, or of all if the account is 0. */
export const liveMarks = table('live_marks', { accountId: int().primaryKey(), prunedTo: int().notNull() })

/** An imported file of a tracker. `added` counts the positions that were new. */
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
 * The positions of an import in blocks, oldest first, packed by `packPositions`. A saved block keeps only the seconds of new positions, so
 * that undoing the import deletes exactly these.
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

/** Rejected positions, by tracker and reason, for 30 days after the last one. */
export const refusedFixes = table(
  'refused_fixes',
  {
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    reason: str<RefusalReason>().notNull(),
    /** Number of positions since `firstAt`. */
    count: int().notNull(),
    firstAt: instant().notNull(),
    lastAt: instant().notNull(),
    /** The device's time of the last one. */
    lastTime: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.reason] })],
)
