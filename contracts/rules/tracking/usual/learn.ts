import { distanceBetween, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import { type FixColumns, fixAt } from '#contracts/rules/history/fixes.ts'
import { PAUSE } from '#contracts/rules/history/path.ts'
import { type Leg, splitIntoLegs } from '#contracts/rules/history/trips.ts'
import { findWays, sketchTrips } from '#contracts/rules/history/ways.ts'
import { type Day, wallTime } from '#contracts/rules/local-day.ts'
import { DAY_MS, HOUR_MS } from '#contracts/rules/time.ts'
import type { Work } from '#contracts/rules/work.ts'
import { type Cells, cellOf, cellsAround, centerOf } from './cells.ts'

/** What is usual is learnt from the positions of so many days, if there are so many between the first and the last one. */
export const LEARNING = { days: 42, least: 21, fixes: 50_000 } as const

/** On so many different days, so that what is done once a week is usual after three weeks. */
const MIN_DAYS = 3
const MOST_CELLS = 10_000
const MOST_PLACES = 20
const MOST_TRIPS = 2000
/** A vaguer fix is in no cell. */
const VAGUE_METERS = 300
/** The tracker went straight between two fixes that are no further apart. */
const STRAIGHT = { ms: 15 * 60_000, meters: 5000, step: 80 } as const
/** Stays this close together are one place. */
const SAME_PLACE_METERS = 150
const RADIUS = { min: 100, max: 300, margin: 75 } as const
/** Metres on each side of a way, and the most points that are returned of it. */
const WAY = { width: 100, points: 80, step: 50 } as const

/** Where the tracker stayed: on how many days, and at which full hours of the day it usually does; null if at no particular ones. */
export type UsualPlace = LatLng & { radius: number; days: number; hours: { from: number; to: number } | null }
/** What the tracker travelled along, and on how many days. */
export type UsualWay = { points: LatLng[]; width: number; days: number }
export type Usual = { places: UsualPlace[]; ways: UsualWay[]; cells: Cells }

/** The first instant (ms) at which the positions span enough days; in the past if they do. */
export const findReadyAt = (first: number) => first + LEARNING.least * DAY_MS

/** Learns from believed fixes in order of time where the tracker usually is. The days and hours are those of a time zone. */
export function* learnUsual(fixes: FixColumns, timeZone: string): Work<Usual> {
  const clock = createClock(timeZone)
  const legs = yield* splitIntoLegs(fixes)
  return {
    places: yield* learnPlaces(fixes, legs, clock),
    ways: yield* learnWays(fixes, legs, clock),
    cells: yield* learnCells(fixes, clock),
  }
}

/** The local time of an instant (ms), encoded as UTC. A zone is looked up once an hour, because that is slow. */
type Clock = (at: number) => number
function createClock(timeZone: string): Clock {
  let [hour, offset] = [Number.NaN, 0]
  return (at) => {
    const of = Math.floor(at / (HOUR_MS / 4))
    if (of !== hour) {
      const start = of * (HOUR_MS / 4)
      ;[hour, offset] = [of, wallTime(start, timeZone) - start]
    }
    return at + offset
  }
}
const dayOf = (clock: Clock, at: number) => Math.floor(clock(at) / DAY_MS)

/**
 * A cell is usual if the tracker was in it, and on enough days in it or beside it: two fixes of one way lie on different sides of the border of
 * two cells.
 */
function* learnCells(fixes: FixColumns, clock: Clock): Work<Cells> {
  const visited = new Set<number>()
  const days = new Map<number, number>()
  let [today, own] = [Number.NaN, new Set<number>()]
  for (let index = 0; index < fixes.length; index++) {
    if (index % PAUSE === 0) yield
    const day = dayOf(clock, fixes.datetime[index]!)
    if (day !== today) {
      yield* countDay(own, visited, days)
      ;[today, own] = [day, new Set()]
    }
    addCells(fixes, index, own)
  }
  yield* countDay(own, visited, days)
  const usual = [...visited].filter((cell) => (days.get(cell) ?? 0) >= MIN_DAYS)
  if (usual.length > MOST_CELLS) usual.sort((a, b) => (days.get(b) ?? 0) - (days.get(a) ?? 0) || a - b)
  return new Set(usual.slice(0, MOST_CELLS))
}

/** Adds the cell of a fix, and those on the line from the fix before. */
function addCells({ datetime, lat, lng, precision }: FixColumns, index: number, cells: Set<number>) {
  if (precision[index]! > VAGUE_METERS) return
  const to = { lat: lat[index]!, lng: lng[index]! }
  cells.add(cellOf(to))
  if (index === 0 || precision[index - 1]! > VAGUE_METERS || datetime[index]! - datetime[index - 1]! > STRAIGHT.ms) return
  const from = { lat: lat[index - 1]!, lng: lng[index - 1]! }
  const meters = distanceBetween(from.lat, from.lng, to.lat, to.lng)
  const east = ((to.lng - from.lng + 540) % 360) - 180
  const steps = meters > STRAIGHT.meters ? 0 : Math.floor(meters / STRAIGHT.step)
  for (let step = 1; step <= steps; step++) {
    const share = step / (steps + 1)
    cells.add(cellOf({ lat: from.lat + (to.lat - from.lat) * share, lng: from.lng + east * share }))
  }
}

function* countDay(own: ReadonlySet<number>, visited: Set<number>, days: Map<number, number>): Work<void> {
  const near = new Set<number>()
  for (const cell of own) {
    visited.add(cell)
    for (const beside of cellsAround(centerOf(cell), 1)) near.add(beside)
  }
  yield
  for (const cell of near) days.set(cell, (days.get(cell) ?? 0) + 1)
}

type Stay = LatLng & { start: number; end: number }
type Cluster = LatLng & { weight: number; stays: Stay[] }

function* learnPlaces(fixes: FixColumns, legs: readonly Leg[], clock: Clock): Work<UsualPlace[]> {
  const clusters: Cluster[] = []
  for (const leg of legs) {
    if (leg.kind !== 'stop') continue
    yield
    const stay = { ...meanOf(fixes, leg), start: leg.start, end: leg.end }
    const cluster = clusters.find((each) => distanceBetween(each.lat, each.lng, stay.lat, stay.lng) <= SAME_PLACE_METERS)
    if (cluster) joinStay(cluster, stay)
    else clusters.push({ lat: stay.lat, lng: stay.lng, weight: weightOf(stay), stays: [stay] })
  }
  return clusters
    .map((cluster) => toPlace(cluster, clock))
    .filter(({ days }) => days >= MIN_DAYS)
    .sort((a, b) => b.days - a.days || a.lat - b.lat || a.lng - b.lng)
    .slice(0, MOST_PLACES)
}

function meanOf({ lat, lng }: FixColumns, { first, last }: Leg): LatLng {
  let [north, east] = [0, 0]
  for (let index = first; index <= last; index++) {
    north += lat[index]! - lat[first]!
    east += ((lng[index]! - lng[first]! + 540) % 360) - 180
  }
  const count = last - first + 1
  return { lat: lat[first]! + north / count, lng: lng[first]! + east / count }
}

/** A long stay says more about the middle of a place than a short one. */
const weightOf = ({ start, end }: Stay) => Math.max(1, end - start)

function joinStay(cluster: Cluster, stay: Stay) {
  cluster.stays.push(stay)
  cluster.weight += weightOf(stay)
  const share = weightOf(stay) / cluster.weight
  cluster.lat += (stay.lat - cluster.lat) * share
  cluster.lng += (((stay.lng - cluster.lng + 540) % 360) - 180) * share
}

function toPlace({ lat, lng, stays }: Cluster, clock: Clock): UsualPlace {
  const hours = Array.from({ length: 24 }, () => new Set<number>())
  const days = new Set<number>()
  for (const { start, end } of stays) {
    for (let day = dayOf(clock, start); day <= dayOf(clock, end); day++) days.add(day)
    // An hour counts if the tracker was there in the middle of it.
    for (let hour = Math.ceil(clock(start) / HOUR_MS - 0.5); hour <= clock(end) / HOUR_MS - 0.5; hour++)
      hours[hour % 24]?.add(Math.floor(hour / 24))
  }
  const farthest = Math.max(...stays.map((stay) => distanceBetween(lat, lng, stay.lat, stay.lng)))
  const radius = Math.min(RADIUS.max, Math.max(RADIUS.min, Math.ceil((farthest + RADIUS.margin) / 10) * 10))
  return { lat: round(lat), lng: round(lng), radius, days: days.size, hours: findHours(hours.map(({ size }) => size)) }
}

/** The longest run of hours, also across midnight, that have at least half as many days as the fullest one. Null for all hours. */
function findHours(days: readonly number[]): UsualPlace['hours'] {
  const least = Math.max(MIN_DAYS, Math.max(...days) / 2)
  let best: { from: number; length: number } | null = null
  for (let from = 0; from < 24; from++) {
    let length = 0
    while (length < 24 && days[(from + length) % 24]! >= least) length++
    if (length > 0 && length > (best?.length ?? 0)) best = { from, length }
  }
  return best === null || best.length === 24 ? null : { from: best.from, to: (best.from + best.length) % 24 }
}

function* learnWays(fixes: FixColumns, legs: readonly Leg[], clock: Clock): Work<UsualWay[]> {
  const { ways } = yield* findWays(yield* sketchTrips(fixes, legs, MOST_TRIPS))
  const usual: UsualWay[] = []
  for (const { starts } of ways) {
    const days = new Set(starts.map((start) => dayOf(clock, start * 1000))).size
    const last = legs.findLast(({ kind, start }) => kind === 'trip' && Math.round(start / 1000) === starts.at(-1))
    if (days >= MIN_DAYS && last) usual.push({ points: thinOut(fixes, last), width: WAY.width, days })
  }
  return usual.sort((a, b) => b.days - a.days)
}

/** Some points of a trip, at about equal distances. */
function thinOut(fixes: FixColumns, { first, last, meters }: Leg): LatLng[] {
  const step = Math.max(WAY.step, meters / (WAY.points - 2))
  const points: LatLng[] = []
  let along = step
  for (let index = first; index <= last; index++) {
    const { lat, lng } = fixAt(fixes, index)
    if (index > first) along += distanceBetween(fixes.lat[index - 1]!, fixes.lng[index - 1]!, lat, lng)
    if (along < step && index < last) continue
    points.push({ lat: round(lat), lng: round(lng) })
    along = 0
  }
  return points
}

/** To a metre. */
const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5

/** The day from which on a tracker can have learnt what is usual, if its first position of the last weeks was at `first` (ms). */
export const findReadyDay = (first: number, timeZone: string): Day =>
  new Date(wallTime(findReadyAt(first), timeZone)).toISOString().slice(0, 10)
