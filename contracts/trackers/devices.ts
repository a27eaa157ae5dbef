import * as z from 'zod/mini'
import { Id, IdParams, Instant, Latitude, Longitude, listed, openEnum } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import { type Contract, nothing } from '#contracts/lib/route.ts'
import { SUB_STATES } from '#contracts/rules/subscription.ts'
import { USAGES } from '#contracts/rules/tracking/mode.ts'
import { EVENT_TYPES, NETWORK_STATES } from '#contracts/rules/tracking/reporting.ts'
import { DEVICE_TYPES, KINDS, TRACKER_ICONS } from '#contracts/rules/tracking/tracker.ts'

/** `sending` until the tracker's next message applies the mode. */
const MODE_STATES = ['applied', 'sending'] as const

/** Length of a boost in minutes. */
const BOOST_MINUTES = { min: 5, max: 60 } as const

export const Position = z.object({
  lat: Latitude,
  lng: Longitude,
  precision: z.int(),
  datetime: Instant,
  /** Degrees clockwise from north, as the device measured it; absent if it did not. */
  course: z.optional(z.number()),
})
export type Position = z.infer<typeof Position>

export const DeviceEvent = z.object({ type: openEnum(EVENT_TYPES), datetime: Instant })

/** Minutes between two updates. */
const Frequency = z.object({ min: z.number(), max: z.number() })

export const TrackerConfig = z.object({
  board_name: z.string(),
  usage: listed(USAGES),
  mode: z.int(),
  pending_mode: z.nullable(z.int()),
  mode_state: listed(MODE_STATES),
  frequency_moving: z.nullable(Frequency),
  frequency_stationary: z.nullable(Frequency),
  network_state: listed(NETWORK_STATES),
  /** When the running real-time boost ends; null without one. */
  boost_until: z.optional(z.nullable(Instant)),
})
export type TrackerConfig = z.infer<typeof TrackerConfig>

export const TrackerStatus = z.object({
  sub_state: openEnum(SUB_STATES),
  sub_end_date: z.nullable(Instant),
  battery: z.nullable(z.number()),
  last_position: z.nullable(Position),
  last_address: z.nullable(z.string()),
  last_event: z.nullable(DeviceEvent),
  stationary_since: z.nullable(Instant),
  online_since: z.nullable(Instant),
})
export type TrackerStatus = z.infer<typeof TrackerStatus>

export const DeviceTag = z.object({ id: Id, name: z.string(), color: z.string() })

/** The price of the tracker's running subscription. */
export const DevicePrice = z.object({ id: z.string(), months: z.number(), extra: z.number(), recurring: z.boolean() })

export const Device = z.object({
  id: Id,
  type: listed(DEVICE_TYPES),
  name: z.string(),
  serial: z.nullable(z.string()),
  identifier: z.nullable(z.string()),
  kind: listed(KINDS),
  tag: z.nullable(DeviceTag),
  is_public: z.boolean(),
  visible: z.boolean(),
  linked_to_pro: z.boolean(),
  operator: z.nullable(z.string()),
  online_since: z.nullable(Instant),
  active_collar_since: z.nullable(Instant),
  tracker_config: TrackerConfig,
  tracker_status: TrackerStatus,
  price: z.nullable(DevicePrice),
  /** Time of the theft by the tracker's open theft report; null without one. */
  theft_since: z.optional(z.nullable(Instant)),
  /** When the account added the tracker. */
  added_at: z.optional(Instant),
  /** When the account added it for the first time, of which the days of grace count; absent unless it was removed and added again. */
  grace_from: z.optional(Instant),
  /** Since when its plan is paused and when it goes on by itself; absent unless it is paused. */
  paused_from: z.optional(Instant),
  paused_until: z.optional(Instant),
  /** A picture that replaces the one of the kind; absent without one. */
  icon: z.optional(openEnum(TRACKER_ICONS)),
  /** SHA-256 of the photo, served as `/photos/<sha256>/large.jpg` and `…/small.jpg`; absent without one. */
  photo: z.optional(z.string()),
})
export type Device = z.infer<typeof Device>

export const devices = {
  list: {
    method: 'GET',
    path: '/devices/',
    summary: 'Lists the trackers of the account: not activated first, then by end of subscription',
    access: rights.readTrackers,
    scope: 'trackers:read',
    showsPositions: true,
    query: z.object({ type: z.optional(z.string()) }),
    response: { 200: z.array(Device) },
    safety: 'read',
    provenance: 'assumed',
  },
  get: {
    method: 'GET',
    path: '/devices/:id/',
    summary: 'Reads one tracker',
    access: rights.readTrackers,
    scope: 'trackers:read',
    showsPositions: true,
    params: IdParams,
    response: { 200: Device },
    safety: 'read',
    provenance: 'assumed',
  },
  config: {
    method: 'GET',
    path: '/devices/:id/tracker_config/',
    summary: 'Reads the settings of a tracker',
    access: rights.readTrackers,
    scope: 'trackers:read',
    params: IdParams,
    response: { 200: TrackerConfig },
    safety: 'read',
    provenance: 'assumed',
  },
  setMode: {
    method: 'PATCH',
    path: '/devices/:id/tracker_config/',
    summary: "Requests a mode; it applies at the tracker's next communication",
    access: rights.changeTrackers,
    scope: 'trackers:write',
    params: IdParams,
    body: z.object({ mode: z.int() }),
    response: { 200: TrackerConfig },
    errors: ['mode_not_allowed', 'subscription_required'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  status: {
    method: 'GET',
    path: '/devices/:id/tracker_status/',
    summary: 'Reads battery, position and subscription state of a tracker',
    access: rights.readTrackers,
    scope: 'trackers:read',
    showsPositions: true,
    params: IdParams,
    response: { 200: TrackerStatus },
    safety: 'read',
    provenance: 'assumed',
  },
  activate: {
    method: 'POST',
    path: '/devices/:id/activate/',
    summary: 'Activates the subscription that came with the tracker; any 2xx is success',
    access: rights.buy,
    params: IdParams,
    response: { 200: nothing, 201: nothing, 202: nothing, 204: nothing },
    errors: ['not_activatable', 'device_linked_to_pro', 'subscription_required'],
    safety: 'destructive',
    provenance: 'spec',
  },
  boost: {
    method: 'POST',
    path: '/devices/:id/realtime_boost/',
    summary: 'Starts a real-time boost, or restarts a running one: a position every 30 seconds for 5 to 60 minutes',
    access: rights.changeTrackers,
    scope: 'trackers:write',
    params: IdParams,
    body: z.object({ duration_minutes: z.int().check(z.minimum(BOOST_MINUTES.min), z.maximum(BOOST_MINUTES.max)) }),
    response: { 201: z.object({ active: z.boolean(), until: Instant, interval_seconds: z.int() }) },
    errors: ['subscription_required'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  endBoost: {
    method: 'DELETE',
    path: '/devices/:id/realtime_boost/',
    summary: 'Ends the real-time boost',
    access: rights.changeTrackers,
    scope: 'trackers:write',
    params: IdParams,
    response: { 200: z.object({ active: z.boolean() }) },
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract
