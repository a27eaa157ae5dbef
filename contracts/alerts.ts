import * as z from 'zod/mini'
import { Id, IdParams, Instant, Latitude, Longitude, listed } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { PLACE_RADIUS, TRIGGERS } from '#contracts/rules/geo/place.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'
import { isTimeZone } from '#contracts/rules/time.ts'

/** Trackers, and contacts, per alert. */
const ALERT_LIST_MAX = 200

/** An alert: its contacts get a mail when one of its trackers crosses the border of a place or, for a vehicle alert, drives off. */
export const Alert = z.object({
  id: Id,
  name: z.nullable(z.string()),
  devices: z.array(Id),
  contacts: z.array(Id),
  place: z.nullable(Id),
  trigger: z.nullable(listed(TRIGGERS)),
  vehicle_alert: z.boolean(),
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

const { devices, place, trigger, vehicle_alert } = NewAlert.shape

/** A place that is not saved yet, or not with this radius. */
const UnsavedPlace = z.object({
  lat: Latitude,
  lng: Longitude,
  radius: z.int().check(z.minimum(PLACE_RADIUS.min), z.maximum(PLACE_RADIUS.max)),
})

/** An alert that is not saved; `circle` stands for its place. The other fields of a new alert are ignored. */
const UnsavedAlert = z
  .object({
    devices,
    place,
    circle: z.optional(z.nullable(UnsavedPlace)),
    trigger,
    vehicle_alert,
    days: z._default(z.int().check(z.minimum(1), z.maximum(DRY_RUN.days)), DRY_RUN.days),
    tz: z.optional(z.string().check(z.refine(isTimeZone, { error: 'the name of a time zone such as Europe/Paris' }))),
  })
  .check(
    z.refine(({ place, circle }) => (place ?? null) === null || (circle ?? null) === null, {
      path: ['circle'],
      error: 'Only one of place and circle',
    }),
  )
export type UnsavedAlert = z.input<typeof UnsavedAlert>

/** Where and when the alert would have fired. */
const DryFiring = z.object({
  device: Id,
  at: Instant,
  kind: z.enum(['place_enter', 'place_leave', 'vehicle_alert']),
  lat: Latitude,
  lng: Longitude,
})

const counts = { total: z.int(), nights: z.int() }

/**
 * What the alert would have fired in the days, oldest first. `nights` counts those from 22:00 to 6:00. `days` has one entry for each day
 * of the period, which ends today. `devices` are the trackers that it covers; `partial`: fewer days or trackers than requested, because
 * they have too many positions. `advice`: a radius with which needless firings would not have happened, and what would be left.
 */
export const DryRun = z.object({
  ...counts,
  firings: z.array(DryFiring),
  days: z.array(z.object({ day: z.string(), ...counts })),
  devices: z.array(Id),
  partial: z.boolean(),
  advice: z.nullable(z.object({ radius: z.int(), ...counts })),
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
