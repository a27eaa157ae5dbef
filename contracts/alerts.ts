import * as z from 'zod/mini'
import { Id, IdParams, Instant, Latitude, Longitude, listed } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { PlaceShape } from '#contracts/places.ts'
import { PLACE_RADIUS, TRIGGERS } from '#contracts/rules/geo/place.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'
import { isTimeZone } from '#contracts/rules/time.ts'
import { BATTERY_LEVELS } from '#contracts/rules/tracking/alert.ts'
import { PAIR_METERS, SPEED, STANDS } from '#contracts/rules/tracking/rules/limits.ts'
import { RULE_KINDS } from '#contracts/rules/tracking/rules/rule.ts'

/** Trackers, and contacts, per alert. */
const ALERT_LIST_MAX = 200

/** A time of day, such as `08:30`. */
const ClockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))

const within = ({ min, max }: { min: number; max: number }) => z.int().check(z.minimum(min), z.maximum(max))

const RULES = [
  z.object({ kind: z.literal('silent') }),
  z.object({ kind: z.literal('back') }),
  z.object({ kind: z.literal('battery'), below: within(BATTERY_LEVELS) }),
  z.object({ kind: z.literal('moved') }),
  z.object({ kind: z.literal('stands'), minutes: within(STANDS) }),
  z.object({ kind: z.literal('speed'), over: within(SPEED.over), seconds: within(SPEED.seconds) }),
  z.object({ kind: z.literal('button') }),
  z.object({ kind: z.literal('not_arrived'), by: ClockTime }),
  z.object({ kind: z.literal('not_left'), by: ClockTime }),
  z.object({ kind: z.literal('apart'), meters: within(PAIR_METERS) }),
  z.object({ kind: z.literal('together'), meters: within(PAIR_METERS) }),
] as const

/**
 * What an alert watches instead of a border or a vehicle.
 * `silent`: two expected reports were missed. `back`: the first message after such a silence.
 * `battery`: the level, in percent or for a tracker_02 in mV, fell below `below`. `moved`: a parked tracker started to move.
 * `stands`: it has been in one place for so many minutes. `speed`: it was faster than `over` km/h for `seconds`.
 * `button`: its button was pressed. `not_arrived`, `not_left`: at `by` it was not in the place of the alert, or still there.
 * `apart`: the two trackers of the alert are further than `meters` from each other. `together`: they are within that distance.
 * `unusual`: it was away from where it usually is, as `/devices/:id/normal/` shows it.
 */
export const AlertRule = z.discriminatedUnion('kind', [...RULES, z.object({ kind: z.literal('unusual') })])
export type AlertRule = z.infer<typeof AlertRule>

/** A rule that fired; for `unusual` with the metres between the tracker and everything usual. */
export const FiredRule = z.discriminatedUnion('kind', [...RULES, z.object({ kind: z.literal('unusual'), meters: z.optional(z.int()) })])

/** Days of the week from Monday (1) to Sunday (7), each once and in order. */
const Days = z.array(z.int().check(z.minimum(1), z.maximum(7))).check(z.minLength(1), z.maxLength(7))

/**
 * When an alert may fire, in the time zone of the account's owner: from `from` until before `to` on the days of the week (1 is Monday). A
 * period that spans midnight belongs to the day on which it begins; with two equal times it lasts for 24 hours.
 */
export const AlertSchedule = z.object({ days: Days, from: ClockTime, to: ClockTime })
export type AlertSchedule = z.infer<typeof AlertSchedule>

/** The longest pause of an alert: a week, in minutes. */
const MAX_PAUSE_MINUTES = 10_080

/**
 * An alert: its contacts get a mail when one of its trackers crosses the border of a place or, for a vehicle alert, drives off. An alert with
 * a `rule` has neither trigger nor vehicle alert, and a place only if the rule is about one. Rules about two trackers need exactly two.
 */
export const Alert = z.object({
  id: Id,
  name: z.nullable(z.string()),
  devices: z.array(Id),
  contacts: z.array(Id),
  place: z.nullable(Id),
  trigger: z.nullable(listed(TRIGGERS)),
  vehicle_alert: z.boolean(),
  /** Absent for alerts of a border or a vehicle. */
  rule: z.optional(AlertRule),
  /** When the alert may fire; absent for always. */
  schedule: z.optional(AlertSchedule),
  /** The least minutes between two firings for one tracker; absent for the usual five. */
  pause: z.optional(z.int()),
  /** Time when the alert was switched off; absent while it is on. */
  off_since: z.optional(Instant),
})
export type Alert = z.infer<typeof Alert>

/** At least one id; duplicates count once. */
const Ids = z.array(Id).check(z.minLength(1), z.maxLength(ALERT_LIST_MAX))

const optional = {
  name: z.optional(z.nullable(Text(0, TEXT_LENGTH.alertName))),
  place: z.optional(z.nullable(Id)),
  trigger: z.optional(z.nullable(z.enum(TRIGGERS))),
  rule: z.optional(z.nullable(AlertRule)),
  schedule: z.optional(z.nullable(AlertSchedule)),
  pause: z.optional(z.int().check(z.minimum(0), z.maximum(MAX_PAUSE_MINUTES))),
}

const NewAlert = z.object({ ...optional, devices: Ids, contacts: Ids, vehicle_alert: z._default(z.boolean(), false) })
export type NewAlert = z.infer<typeof NewAlert>

/** Omitted fields keep their value; the merged alert is validated as a whole. */
const AlertChange = z.object({
  ...optional,
  devices: z.optional(Ids),
  contacts: z.optional(Ids),
  vehicle_alert: z.optional(z.boolean()),
})
export type AlertChange = z.infer<typeof AlertChange>

export const alerts = {
  list: {
    method: 'GET',
    path: '/tracker_alerts/',
    summary: "Lists the alerts of the account; for a team member those that watch a tracker of the team's list",
    access: rights.readPlaces,
    scope: 'alerts:read',
    response: { 200: z.array(Alert) },
    safety: 'read',
    provenance: 'assumed',
  },
  create: {
    method: 'POST',
    path: '/tracker_alerts/',
    summary: 'Creates an alert; a vehicle alert also requests the matching mode of its trackers',
    access: rights.changePlaces,
    scope: 'alerts:write',
    body: NewAlert,
    response: { 201: Alert },
    errors: ['vehicle_only', 'limit_reached'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  get: {
    method: 'GET',
    path: '/tracker_alerts/:id/',
    summary: 'Reads one alert',
    access: rights.readPlaces,
    scope: 'alerts:read',
    params: IdParams,
    response: { 200: Alert },
    safety: 'read',
    provenance: 'assumed',
  },
  update: {
    method: 'PATCH',
    path: '/tracker_alerts/:id/',
    summary: 'Changes an alert; omitted fields keep their value',
    access: rights.changePlaces,
    scope: 'alerts:write',
    params: IdParams,
    body: AlertChange,
    response: { 200: Alert },
    errors: ['vehicle_only'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  remove: {
    method: 'DELETE',
    path: '/tracker_alerts/:id/',
    summary: "Removes an alert; for a team member only the trackers of the team's list are removed from it",
    access: rights.changePlaces,
    scope: 'alerts:write',
    params: IdParams,
    response: { 200: z.object({ id: Id }) },
    safety: 'destructive',
    provenance: 'assumed',
  },
} as const satisfies Contract

export const alertSwitch = {
  set: {
    method: 'PUT',
    path: '/tracker_alerts/:id/switch/',
    summary: 'Switches an alert off, so that it fires nothing, or on again; for all of its trackers',
    access: rights.changePlaces,
    scope: 'alerts:write',
    params: IdParams,
    body: z.object({ on: z.boolean() }),
    response: { 200: Alert },
    errors: ['vehicle_only'],
    safety: 'reversible',
    provenance: 'ours',
  },
} as const satisfies Contract

/** The most days of a dry run, and the most positions that it reads: more trackers or denser histories are covered in part. */
export const DRY_RUN = { days: 30, positions: 50_000 } as const

const { devices, place, trigger, vehicle_alert, rule, schedule, pause } = NewAlert.shape

/** A place that is not saved yet, or not with this radius. */
const UnsavedPlace = z.object({
  lat: Latitude,
  lng: Longitude,
  radius: z.int().check(z.minimum(PLACE_RADIUS.min), z.maximum(PLACE_RADIUS.max)),
})

/** An alert that is not saved; `circle` or `shape` stands for its place. The other fields of a new alert are ignored. */
const UnsavedAlert = z
  .object({
    devices,
    place,
    circle: z.optional(z.nullable(UnsavedPlace)),
    shape: z.optional(z.nullable(PlaceShape)),
    trigger,
    vehicle_alert,
    rule,
    schedule,
    pause,
    days: z._default(z.int().check(z.minimum(1), z.maximum(DRY_RUN.days)), DRY_RUN.days),
    tz: z.optional(z.string().check(z.refine(isTimeZone, { error: 'the name of a time zone such as Europe/Paris' }))),
  })
  .check(
    z.refine(({ place, circle }) => (place ?? null) === null || (circle ?? null) === null, {
      path: ['circle'],
      error: 'Only one of place and circle',
    }),
    z.refine(({ place, circle, shape }) => (shape ?? null) === null || ((place ?? null) === null && (circle ?? null) === null), {
      path: ['shape'],
      error: 'Only one of place, circle and shape',
    }),
  )
export type UnsavedAlert = z.input<typeof UnsavedAlert>

/** Where and when the alert would have fired: for what fires without a position, where the tracker was last. */
const DryFiring = z.object({
  device: Id,
  at: Instant,
  kind: z.enum(['place_enter', 'place_leave', 'vehicle_alert', ...RULE_KINDS]),
  lat: Latitude,
  lng: Longitude,
})

const counts = { total: z.int(), nights: z.int() }

/**
 * What the alert would have fired in the days, oldest first. `nights` counts those from 22:00 to 6:00. `days` has one entry for each day
 * of the period, which ends today. `devices` are the trackers that it covers; `partial`: fewer days or trackers than requested, because
 * they have too many positions. `advice`: a radius, the `width` of a way, or an area (`shape`) whose border is `margin` metres further out,
 * with which needless firings would not have happened, and what would be left; the radius of a way or an area is that of the circle around
 * it. `rule_advice`: the same for the value of a rule.
 */
export const DryRun = z.object({
  ...counts,
  firings: z.array(DryFiring),
  days: z.array(z.object({ day: z.string(), ...counts })),
  devices: z.array(Id),
  partial: z.boolean(),
  advice: z.nullable(
    z.object({ radius: z.int(), width: z.optional(z.int()), margin: z.optional(z.int()), shape: z.optional(PlaceShape), ...counts }),
  ),
  rule_advice: z.optional(z.nullable(z.object({ rule: AlertRule, ...counts }))),
})
export type DryRun = z.infer<typeof DryRun>

export const alertDryRun = {
  run: {
    method: 'POST',
    path: '/tracker_alerts/dry_run/',
    summary: 'Computes when an alert would have fired on the positions of the last days; stores nothing and notifies nobody',
    access: rights.changePlaces,
    // It shows where the trackers were, at any circle that the caller chooses.
    scope: 'positions:read',
    showsPositions: true,
    costly: true,
    body: UnsavedAlert,
    response: { 200: DryRun },
    errors: ['vehicle_only'],
    safety: 'read',
    provenance: 'ours',
  },
} as const satisfies Contract
