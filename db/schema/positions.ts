import { index, instant, int, pk, primaryKey, str, table } from './columns.ts'
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

/** What judging the next fix of a tracker needs, as JSON (`contracts/rules/tracking/filter.ts`, `crossing.ts`). */
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

/** What a tracker reported beside positions, newest last; also what the live stream resumes from. */
export const liveEvents = table(
  'live_events',
  {
    id: pk(),
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    type: str<'position' | 'status' | 'mode' | 'alert' | 'network'>().notNull(),
    body: str().notNull(),
    at: instant().notNull(),
  },
  (t) => [index('live_events_by_device').on(t.deviceId)],
)
