import * as z from 'zod/mini'
import { Latitude, Longitude } from '#contracts/lib/common.ts'
import { POSITION_MARKS } from '#contracts/rules/history/filter.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { MEASURED, PRECISION } from '#contracts/rules/tracking/fix.ts'
import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import { fromFixed7, markNumber, type PositionRow, toFixed7 } from '#db/positions.ts'
import type { Row } from '#server/mock/entities/entity-row.ts'
import { type Issue, isObject, parseTime } from './document-row.ts'

/** `[time, lat, lng, precision, event, battery, speed, course, altitude, mark]`, without unknown values at the end. */
export function presentPosition({ time, lat, lng, precision, event, battery, speed, course, altitude, mark }: PositionRow) {
  const row = [
    ...[formatInstant(new Date(time * 1000)), fromFixed7(lat), fromFixed7(lng), precision],
    ...[event === null ? null : EVENT_TYPES[event], battery, speed === null ? null : speed / 10, course, altitude],
    mark === null ? null : POSITION_MARKS[mark],
  ]
  while (row.at(-1) === null) row.pop()
  return row
}

const Position = z.tuple([
  z.string(),
  Latitude,
  Longitude,
  z.int().check(z.minimum(0), z.maximum(PRECISION.max)),
  z.optional(z.nullable(z.enum(EVENT_TYPES))),
  z.optional(z.nullable(z.int())),
  z.optional(z.nullable(z.number().check(z.minimum(0), z.maximum(MEASURED.speed[1])))),
  z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(360)))),
  z.optional(z.nullable(z.int())),
  z.optional(z.nullable(z.enum(POSITION_MARKS))),
])

/** Reads the positions by tracker; reports those without a tracker. */
export function readTracks(value: unknown, trackers: readonly Row[], report: Issue): Map<number, PositionRow[]> {
  const tracks = new Map<number, PositionRow[]>()
  if (!isObject(value)) report('positions', 'Must be an object with a list for each tracker')
  else
    for (const [id, rows] of Object.entries(value)) {
      if (!trackers.some((tracker) => String(tracker.id) === id)) report(`positions.${id}`, `There is no ${id} in trackers`)
      if (Array.isArray(rows))
        tracks.set(
          Number(id),
          rows.map((row, index) => readPosition(row, `positions.${id}[${index}]`, report)),
        )
      else report(`positions.${id}`, 'Must be a list')
    }
  return tracks
}

function readPosition(value: unknown, path: string, report: Issue): PositionRow {
  const { data, error } = Position.safeParse(value)
  for (const { path: within, message } of error?.issues ?? [])
    report(`${path}${within.map((index) => `[${String(index)}]`).join('')}`, message)
  const [
    time = '',
    lat = 0,
    lng = 0,
    precision = 0,
    event = null,
    battery = null,
    speed = null,
    course = null,
    altitude = null,
    mark = null,
  ] = data ?? []
  return {
    time: data ? Math.floor(parseTime(time, (message) => report(`${path}[0]`, message)).getTime() / 1000) : 0,
    lat: toFixed7(lat),
    lng: toFixed7(lng),
    precision,
    event: event === null ? null : EVENT_TYPES.indexOf(event),
    battery,
    speed: speed === null ? null : Math.round(speed * 10),
    course,
    altitude,
    mark: mark === null ? null : markNumber(mark),
  }
}
