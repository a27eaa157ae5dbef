import { type days as contract, DAYS, type DayList, type WayList } from '#contracts/days.ts'
import type { Fix, LatLng } from '#contracts/rules/geo/coordinates.ts'
import { findWays, type TripSketch } from '#contracts/rules/history/ways.ts'
import { addDays, countDays, type Day, localDay, startOfLocalDay } from '#contracts/rules/local-day.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { addressOf } from '#db/addresses.ts'
import type { Db } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { type PositionReads, REACH_SECONDS } from '#db/positions.ts'
import { type DeviceRow, deviceLock, type Viewer } from '#db/scope.ts'
import { getOwnedDevice } from '#server/http/access/owned-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { finishInSlices } from '#server/lib/finish-in-slices.ts'
import type { Geocoder, ViewerContext, World } from '#server/ports/world.ts'
import { endHistory, findLastShown, openHistory } from '#server/tracking/history/history.ts'
import { findTimeZone, listSummaries, type Span, type SummaryRow, saveSummaries } from './day-summaries.store.ts'
import { emptySummary, findBorders, type Stored, summarizeRows } from './summarize.ts'

export const days: Handlers<typeof contract> = {
  async list({ params, query }, context) {
    const device = await getOwnedDevice(context, params.id)
    return readDays(shownDays(context, device), device.id, await findDays(query, context))
  },
  async ways({ params, query }, context) {
    const device = await getOwnedDevice(context, params.id)
    return readWays(shownDays(context, device), context.geocode, device.id, await findDays(query, context))
  },
  async borders({ params, query }, context) {
    const device = await getOwnedDevice(context, params.id)
    return readBorders(openHistory(context, device).positions, device.id, query)
  },
}

type Query = { from: Day; to: Day; tz?: string | undefined }

async function findDays({ from, to, tz }: Query, { db, viewer }: { db: Pick<Db, 'read'>; viewer: Viewer }) {
  const count = countDays(from, to)
  if (count < 1 || count > DAYS.perCall) throw new Failure('invalid_period')
  return { from, to, timeZone: tz ?? (await findTimeZone(db.read, viewer)) }
}

type BorderQuery = { not_before: string; not_after?: string | undefined }

/** `last`: the last second that may be read, if the tracker rests. */
type Ports = Pick<World, 'db'> & { last?: number }

const shownDays = ({ db, clock, graceDays }: ViewerContext, device: DeviceRow): Ports => ({
  db,
  last: findLastShown(device, clock.now(), graceDays),
})
type Days = { from: Day; to: Day; timeZone: string }
type DaySpan = Span & { day: Day }

/** More than a tracker can report on one day: a position per second. */
const MOST_PER_DAY = 2 * 86_400

/** Returns the totals of each day with positions. Missing or outdated ones are computed and saved, as many as one call may. */
export async function readDays(ports: Ports, deviceId: number, days: Days): Promise<DayList> {
  const { found, next } = await readSummaries(ports, deviceId, days)
  return { days: found.flatMap(([span, row]) => presentDay(span, row)), next }
}

/**
 * Returns the routes that were travelled several times in the days, and where trips ended. While `next` is a day, they cover the days
 * before it.
 */
async function readWays(ports: Ports, geocode: Geocoder, deviceId: number, days: Days): Promise<WayList> {
  const { found, next } = await readSummaries(ports, deviceId, days)
  const sketches = found.flatMap(([, row]): TripSketch[] => JSON.parse(row.sketches ?? '[]'))
  const { ways, destinations } = await finishInSlices(findWays(sketches))
  const locate = ({ lat, lng }: LatLng) => ({ lat, lng, address: addressOf(geocode.nearest, { lat, lng }) })
  return {
    ways: ways.map(({ trips, meters, seconds, last, isRound, points, farthest }) => ({
      trips,
      meters,
      seconds,
      last: formatInstant(new Date(last * 1000)),
      round: isRound,
      from: locate(points[0]!),
      to: locate(points.at(-1)!),
      farthest: locate(farthest),
      points,
    })),
    destinations: destinations.map(({ visits, ...point }) => ({ visits, ...locate(point) })),
    next,
  }
}

/** Returns where the tracker was when a period began and when it ended. A period without an end continues. */
async function readBorders(positions: PositionReads, deviceId: number, { not_before, not_after }: BorderQuery) {
  const start = Math.ceil(Date.parse(not_before) / 1000)
  const end = not_after === undefined ? null : Math.floor(Date.parse(not_after) / 1000) + 1
  if (end !== null && end < start) throw new Failure('invalid_period')
  const beside = await positions.neighbours(deviceId, end === null ? [start] : [start, end])
  const found = findBorders({ start, end: end ?? start }, beside)
  return { start: presentBorder(found.start), end: presentBorder(found.end) }
}

const presentBorder = (border: Fix | null) => border && { ...border, datetime: formatInstant(new Date(border.datetime)) }

async function readSummaries({ db, last: lastShown = Number.POSITIVE_INFINITY }: Ports, deviceId: number, days: Days) {
  const history = endHistory(db.history(), lastShown)
  // Saved summaries are those of all positions, so one of a day near the last second is neither used nor saved.
  const isWhole = ({ end }: Span) => end + REACH_SECONDS <= lastShown
  const spans = await listSpans(history, deviceId, days)
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last) return { found: [], next: null }
  const between = { start: first.start, end: last.start }
  const saved = await history.query(deviceId, (read) => listSummaries(read, deviceId, between))
  const known = new Map(saved.filter((row) => !row.isStale && row.sketches !== null && isWhole(row)).map((row) => [keyOf(row), row]))
  const missing = spans.filter((span) => !known.has(keyOf(span)))
  const { computed, next } = await computeMissing({ db, lastShown, isWhole }, deviceId, missing)
  for (const row of computed) known.set(keyOf(row), row)
  const complete = next === null ? spans : spans.slice(0, spans.indexOf(next))
  const found = complete.flatMap((span): [DaySpan, SummaryRow][] => {
    const row = known.get(keyOf(span))
    return row ? [[span, row]] : []
  })
  return { found, next: next?.day ?? null }
}

/** The year 2106. */
const MAX_TIME = 2 ** 32

/** The days between the oldest and the newest position. A day that a time zone skips would begin with the next one. */
async function listSpans(positions: PositionReads, deviceId: number, { from, to, timeZone }: Days): Promise<DaySpan[]> {
  const [oldest, newest] = [await positions.oldest(deviceId), await positions.latest(deviceId, 0, MAX_TIME)]
  if (oldest === null || newest === null) return []
  const [earliest, latest] = [localDay(oldest * 1000, timeZone), localDay(newest.time * 1000, timeZone)]
  const [first, last] = [from > earliest ? from : earliest, to < latest ? to : latest]
  const spans: DaySpan[] = []
  let start = startOfLocalDay(first, timeZone) / 1000
  for (let nth = 0; nth < countDays(first, last); nth++) {
    const end = startOfLocalDay(addDays(first, nth + 1), timeZone) / 1000
    if (end > start) spans.push({ day: addDays(first, nth), start, end })
    start = end
  }
  return spans
}

const keyOf = ({ start, end }: Span) => `${start} ${end}`

/**
 * Computes summaries until one call has read enough positions, and saves them unless positions changed meanwhile. `next` is the first day
 * left over.
 */
async function computeMissing(
  { db, lastShown, isWhole }: { db: Db; lastShown: number; isWhole(span: Span): boolean },
  deviceId: number,
  missing: readonly DaySpan[],
) {
  if (missing.length === 0) return { computed: [], next: null }
  // Inside this transaction no other one is open, so later reads contain all changes counted so far.
  const before = await countChanges(db, deviceId)
  const history = endHistory(db.history(), lastShown)
  const computed: SummaryRow[] = []
  let read = 0
  let next: DaySpan | null = null
  for (const span of missing) {
    if (read >= DAYS.positionsPerCall) {
      next = span
      break
    }
    const stored = await history.columns(deviceId, span.start, span.end - 1, MOST_PER_DAY)
    read += stored.time.length
    computed.push(stored.time.length > 0 ? await summarizeSpan(history, deviceId, span, stored) : emptySummary(deviceId, span))
  }
  await writeDevices(db, deviceLock(deviceId), async (tx) => {
    if ((await db.positions.changes(tx, deviceId)) === before) await saveSummaries(tx, computed.filter(isWhole))
  })
  return { computed, next }
}

const summarizeSpan = async (history: PositionReads, deviceId: number, span: Span, stored: Stored) =>
  finishInSlices(summarizeRows(deviceId, span, stored, await history.neighbours(deviceId, [span.start, span.end])))

const countChanges = (db: Db, deviceId: number) => writeDevices(db, deviceLock(deviceId), (tx) => db.positions.changes(tx, deviceId))

function presentDay({ day }: DaySpan, row: SummaryRow): DayList['days'] {
  if (row.firstTime === null || row.lastTime === null) return []
  const at = (second: number) => formatInstant(new Date(second * 1000))
  return [
    {
      day,
      meters: row.meters,
      moving_seconds: row.movingSeconds,
      top_speed: row.topSpeed / 10,
      trips: row.trips,
      stops: row.stops,
      longest_stop_seconds: row.longestStopSeconds,
      positions: row.positions,
      first: at(row.firstTime),
      last: at(row.lastTime),
    },
  ]
}
