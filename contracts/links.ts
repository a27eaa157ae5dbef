import * as z from 'zod/mini'
import { Id, IdParams, Instant, Latitude, Longitude, listed, Maker, openEnum } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { PlaceShape } from '#contracts/places.ts'
import { MAX_LINK_TRACKERS } from '#contracts/rules/link.ts'
import { normalizeKey } from '#contracts/rules/reading/text.ts'
import { Phone, Text } from '#contracts/rules/reading/text-fields.ts'
import { DEVICE_TYPES, KINDS } from '#contracts/rules/tracking/tracker.ts'
import { Device, Position } from '#contracts/trackers/devices.ts'

export const PublicLink = z.object({
  /** For support another uuid that opens nothing, since the real one shows the tracker without a session. */
  uuid: z.uuid(),
  /** The token that opens the link instead of the uuid, on backends with such a token. */
  token: z.optional(z.nullable(z.string())),
  label: z.string(),
  start_date: z.nullable(Instant),
  end_date: z.nullable(Instant),
  expiry: z.nullable(Instant),
  permanent: z.boolean(),
  from_beginning: z.boolean(),
  last_point: z.boolean(),
  /** All trackers of a link that shows several; absent for a link to one. */
  devices: z.optional(z.array(z.object({ id: Id, name: z.string() }))),
  /** The destination of its trackers. */
  destination: z.optional(z.object({ id: Id, name: z.string() })),
  shared_by: z.optional(z.string()),
  phone: z.optional(z.string()),
  note: z.optional(z.string()),
  created_by: Maker,
})
export type PublicLink = z.infer<typeof PublicLink>

/** Input for a new link: an end unless `permanent`, a start unless `from_beginning`. */
export const NewPublicLink = z.object({
  label: Text(1, 60),
  start_date: z.optional(z.nullable(Instant)),
  end_date: z.optional(z.nullable(Instant)),
  permanent: z._default(z.boolean(), false),
  from_beginning: z._default(z.boolean(), false),
  last_point: z._default(z.boolean(), false),
  /** A place of the account: visitors see its name and circle, and the estimated time of arrival. */
  destination: z.optional(z.nullable(Id)),
  /** Who shares it, a phone number that visitors may call, and a sentence to them; visitors see none that is absent or empty. */
  shared_by: z.optional(z.nullable(Text(0, TEXT_LENGTH.personName))),
  phone: z.optional(z.nullable(Phone)),
  note: z.optional(z.nullable(Text(0, TEXT_LENGTH.linkNote))),
})

/** A link to several trackers: those named, or those that have a tag at the moment. */
const NewGroupLink = z.extend(NewPublicLink, {
  devices: z.optional(z.array(Id).check(z.minLength(1), z.maxLength(MAX_LINK_TRACKERS))),
  tag: z.optional(Id),
})

const ShownTracker = z.object({
  tracker: z.object({
    name: z.string(),
    kind: listed(KINDS),
    type: openEnum(DEVICE_TYPES),
    icon: Device.shape.icon,
    photo: Device.shape.photo,
  }),
  last_position: z.nullable(Position),
  positions: z.array(Position),
  /** The address of the last position; absent if it is not known. */
  address: z.optional(z.string()),
  /** Estimated time of arrival, rounded to five minutes; absent where it is unclear. */
  arrives_at: z.optional(Instant),
  /** Present while the tracker rests: it is not shared until its subscription is renewed. */
  resting: z.optional(z.literal(true)),
})
export type ShownTracker = z.infer<typeof ShownTracker>

export const SharedTracker = z.object({
  label: z.string(),
  tracker: ShownTracker.shape.tracker,
  start_date: z.nullable(Instant),
  end_date: z.nullable(Instant),
  expiry: z.nullable(Instant),
  permanent: z.boolean(),
  last_point: z.boolean(),
  last_position: ShownTracker.shape.last_position,
  positions: ShownTracker.shape.positions,
  address: ShownTracker.shape.address,
  arrives_at: ShownTracker.shape.arrives_at,
  resting: ShownTracker.shape.resting,
  /** What the owner tells visitors. */
  shared_by: PublicLink.shape.shared_by,
  phone: PublicLink.shape.phone,
  note: PublicLink.shape.note,
  /** The destination of the trackers; `radius` in metres. */
  destination: z.optional(z.object({ name: z.string(), lat: Latitude, lng: Longitude, radius: z.int(), shape: z.optional(PlaceShape) })),
  /** The other trackers of a link to several, by name. */
  others: z.optional(z.array(ShownTracker)),
})
export type SharedTracker = z.infer<typeof SharedTracker>

/** The uuid is not validated: a malformed one is an unknown link (404), not a form error. */
const LinkParams = z.object({ uuid: z.string().check(z.overwrite(normalizeKey)) })

export const links = {
  listOf: {
    method: 'GET',
    path: '/devices/:id/public_share_link/',
    summary: 'Lists the public links of a tracker, newest first',
    access: rights.readTrackers,
    params: IdParams,
    response: { 200: z.array(PublicLink) },
    safety: 'read',
    provenance: 'assumed',
  },
  create: {
    method: 'POST',
    path: '/devices/:id/public_share_link/',
    summary: 'Creates a public link, at most five per tracker',
    access: rights.changeTrackers,
    recentSignIn: 'with_factor',
    params: IdParams,
    body: NewPublicLink,
    response: { 201: PublicLink },
    errors: ['too_many_links'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  remove: {
    method: 'DELETE',
    path: '/tracker_public_share_links/:uuid/',
    summary: 'Removes a public link',
    access: rights.changeTrackers,
    params: LinkParams,
    response: { 200: z.object({ uuid: z.string() }) },
    safety: 'destructive',
    provenance: 'assumed',
  },
  list: {
    method: 'GET',
    path: '/tracker_public_share_links/',
    summary: 'Lists all public links of the account',
    access: rights.readTrackers,
    response: { 200: z.array(z.extend(PublicLink, { device: Id, device_name: z.string() })) },
    safety: 'read',
    provenance: 'assumed',
  },
  read: {
    method: 'GET',
    path: '/tracker_public_share_links/:uuid/',
    summary: 'Shows what a public link shares: of the owner only what the link itself tells, and never a number of the tracker',
    access: 'public',
    showsPositions: true,
    params: LinkParams,
    response: { 200: SharedTracker },
    errors: ['invalid_link'],
    safety: 'read',
    provenance: 'assumed',
  },
} as const satisfies Contract

export const groupLinks = {
  create: {
    method: 'POST',
    path: '/tracker_public_share_links/',
    summary: 'Creates one public link for several trackers, or for those that have a tag now',
    access: rights.changeTrackers,
    recentSignIn: 'with_factor',
    body: NewGroupLink,
    response: { 201: PublicLink },
    errors: ['too_many_links'],
    safety: 'reversible',
    provenance: 'ours',
  },
} as const satisfies Contract
