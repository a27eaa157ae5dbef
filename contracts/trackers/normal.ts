import * as z from 'zod/mini'
import { Id, IdParams, Instant, Latitude, Longitude } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { LEARNING } from '#contracts/rules/tracking/usual/learn.ts'

const Point = z.object({ lat: z.number(), lng: z.number() })

/** Full hours of the day, in the time zone of the account's owner: from the beginning of `from` until the beginning of `to`. */
const UsualHours = z.object({ from: z.int(), to: z.int() })

/** Whether the user wants no place made of it. */
const dismissed = z.boolean()

/** Where the tracker stayed, and on how many days of the last weeks. `hours`: when it usually is there; null if at no particular ones. */
export const UsualPlace = z.object({
  ...Point.shape,
  address: z.nullable(z.string()),
  radius: z.int(),
  days: z.int(),
  hours: z.nullable(UsualHours),
  dismissed,
})
export type UsualPlace = z.infer<typeof UsualPlace>

/** What the tracker travelled along, by the points of the latest trip; `width` in metres on each side. */
export const UsualWay = z.object({ points: z.array(Point), width: z.int(), days: z.int(), dismissed })
export type UsualWay = z.infer<typeof UsualWay>

/**
 * Where a tracker usually is. `ready_from`: the first day with enough positions to know, if the tracker goes on reporting; null once there are,
 * and without positions. `learnt_at`: null while nothing is learnt. `cells`: the middles of the squares of about 111 m in which
 * it was on at least three days.
 */
export const Normal = z.object({
  enabled: z.boolean(),
  ready_from: z.nullable(z.string()),
  learnt_at: z.nullable(Instant),
  places: z.array(UsualPlace),
  ways: z.array(UsualWay),
  cells: z.array(z.tuple([z.number(), z.number()])),
})
export type Normal = z.infer<typeof Normal>

/** Where trackers usually are and no place is: the place of the one that was there on the most days, and who else is usually there. */
const { dismissed: _, ...suggestedPlace } = UsualPlace.shape
export const SuggestedPlace = z.object({ ...suggestedPlace, devices: z.array(Id) })
export type SuggestedPlace = z.infer<typeof SuggestedPlace>

/** Most of the suggestions in one answer. */
export const MOST_SUGGESTED = 20

/** A place by its middle, or a way by its first, middle and last point. */
const Proposal = z.object({
  points: z.array(z.object({ lat: Latitude, lng: Longitude })).check(z.minLength(1), z.maxLength(3)),
})

const change = { access: rights.changePlaces, scope: 'alerts:write', params: IdParams, safety: 'reversible', provenance: 'ours' } as const

export const normal = {
  read: {
    method: 'GET',
    path: '/devices/:id/normal/',
    summary: `Returns where a tracker usually is, as learnt from its positions of the last ${LEARNING.days} days`,
    access: rights.readTrackers,
    scope: 'positions:read',
    showsPositions: true,
    params: IdParams,
    response: { 200: Normal },
    safety: 'read',
    provenance: 'ours',
  },
  set: {
    ...change,
    method: 'PUT',
    path: '/devices/:id/normal/',
    summary: 'Switches on that the server learns once a day where a tracker usually is, or off, which deletes what it has learnt',
    body: z.object({ enabled: z.boolean() }),
    response: { 200: z.object({ enabled: z.boolean() }) },
  },
  dismiss: {
    ...change,
    method: 'POST',
    path: '/devices/:id/normal/dismissals/',
    summary: 'Marks a usual place or way as dismissed, so that no place is proposed for it again',
    body: Proposal,
    response: { 200: z.object({ dismissed: z.int() }) },
  },
  suggest: {
    method: 'GET',
    path: '/tracker_places/suggestions/',
    summary: `Lists where trackers usually are and no place is, and which nobody has dismissed: the ${MOST_SUGGESTED} with the most days`,
    access: rights.changePlaces,
    scope: 'positions:read',
    showsPositions: true,
    response: { 200: z.array(SuggestedPlace) },
    safety: 'read',
    provenance: 'ours',
  },
} as const satisfies Contract
