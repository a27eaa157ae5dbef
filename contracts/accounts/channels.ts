import * as z from 'zod/mini'
import { Id, IdParams, Instant, openEnum } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'
import { FIRING_KINDS } from '#contracts/rules/tracking/rules/firing-kinds.ts'

/** Services that alerts are sent to besides mails and browsers. */
export const CHANNEL_KINDS = ['webhook', 'telegram', 'ntfy'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** Channels per user. */
export const MAX_CHANNELS = 10
/** Alerts sent to the channels of an account in 24 hours. */
export const DELIVERIES_A_DAY = 500
/** Trackers that a channel names. */
const CHANNEL_DEVICES_MAX = 200
/** Days without a delivery, all attempts failing, after which a channel is stopped. */
export const FAILING_DAYS = 7
/** Minutes for which a code is valid, and how often it may be typed wrong. */
export const CHANNEL_CODE = { minutes: 60, tries: 5 } as const

/** `gone`: the receiver said so (410); `failing`: nothing arrived for a week; `user`: switched off. */
export const STOP_REASONS = ['gone', 'failing', 'user'] as const

/** What is wrong with the last delivery: the status of the response, no response in time, no connection, or an address that is refused. */
export const DELIVERY_FAILURES = ['status', 'timeout', 'unreachable', 'not_allowed'] as const
const Failure = z.object({ reason: openEnum(DELIVERY_FAILURES), status: z.nullable(z.int()) })
export type DeliveryFailure = z.infer<typeof Failure>

/** Where alerts of a user are sent. It starts when its code was typed, which shows that the user can read it. */
export const Channel = z.object({
  id: Id,
  kind: openEnum(CHANNEL_KINDS),
  label: z.string(),
  /** The address of a webhook or of an ntfy topic, or the chat of Telegram. */
  target: z.string(),
  created_at: Instant,
  verified_at: z.nullable(Instant),
  stopped: z.nullable(z.object({ at: Instant, reason: openEnum(STOP_REASONS) })),
  /** The last delivery that has ended: arrived, or given up. Null before the first. */
  last: z.nullable(z.object({ at: Instant, failure: z.nullable(Failure) })),
  /** Since when no attempt has succeeded; null while they do. */
  failing_since: z.nullable(Instant),
  /** Only alerts of these trackers are sent there, null for all. Empty once all of them were removed; then none is. Absent if a backend cannot choose. */
  devices: z.optional(z.nullable(z.array(Id))),
  /** Only alerts of these kinds are sent there; null for all. */
  kinds: z.optional(z.nullable(z.array(openEnum(FIRING_KINDS)))),
})
export type Channel = z.infer<typeof Channel>

/** The only response with the secret that signs the requests of a webhook (`whsec_…`, standardwebhooks.com); null for other kinds. */
export const CreatedChannel = z.extend(Channel, { secret: z.nullable(z.string()) })

/** Which alerts a channel gets: null, or omitted for a new channel, for all. */
const choice = {
  devices: z.optional(z.nullable(z.array(Id).check(z.minLength(1), z.maxLength(CHANNEL_DEVICES_MAX)))),
  kinds: z.optional(z.nullable(z.array(z.enum(FIRING_KINDS)).check(z.minLength(1), z.maxLength(FIRING_KINDS.length)))),
}

const Url = z.url({ protocol: /^https?$/ }).check(z.maxLength(TEXT_LENGTH.networkServer))

/** `webhook` needs `url`, `ntfy` the `url` of a topic and perhaps an access `token`, `telegram` the `token` of a bot and a `chat`. */
export const NewChannel = z.object({
  kind: z.enum(CHANNEL_KINDS),
  label: Text(1, TEXT_LENGTH.keyLabel),
  url: z.optional(Url),
  token: z.optional(z.string().check(z.regex(/^[\w:.-]{1,200}$/))),
  /** A number, negative for groups, or the name of a public channel. */
  chat: z.optional(z.string().check(z.regex(/^(-?\d{1,20}|@\w{5,32})$/))),
  ...choice,
})
export type NewChannel = z.input<typeof NewChannel>

export const DELIVERY_TYPES = ['alert', 'code', 'test'] as const

export const ChannelDelivery = z.object({
  id: Id,
  type: openEnum(DELIVERY_TYPES),
  /** What it is about, in the user's language. */
  title: z.string(),
  created_at: Instant,
  attempts: z.int(),
  /** When it is tried next; null once it has arrived or was given up. */
  next_at: z.nullable(Instant),
  /** When it arrived, or was given up; null while it waits. */
  ended_at: z.nullable(Instant),
  failure: z.nullable(Failure),
})
export type ChannelDelivery = z.infer<typeof ChannelDelivery>

const ours = { access: rights.ownProfile, provenance: 'ours' } as const

/** The user's own ways to be told of alerts, besides mails and notifications of browsers. */
export const channels = {
  list: {
    ...ours,
    method: 'GET',
    path: '/users/channels/',
    summary: 'Lists the channels of the user, oldest first',
    response: { 200: z.array(Channel) },
    safety: 'read',
  },
  create: {
    ...ours,
    method: 'POST',
    path: '/users/channels/',
    summary: `Creates a channel, at most ${MAX_CHANNELS} per user, and sends a code there; this response is the only one with the secret of a webhook`,
    body: NewChannel,
    recentSignIn: 'always',
    response: { 201: CreatedChannel },
    errors: ['limit_reached', 'unavailable'],
    safety: 'reversible',
  },
  verify: {
    ...ours,
    method: 'POST',
    path: '/users/channels/:id/verify/',
    summary: `Starts a channel with the code that was sent there; it is valid for ${CHANNEL_CODE.minutes} minutes and ${CHANNEL_CODE.tries} attempts`,
    params: IdParams,
    body: z.object({ code: z.string().check(z.regex(/^\d{6}$/)) }),
    response: { 200: Channel },
    errors: ['invalid_code', 'expired'],
    safety: 'reversible',
  },
  test: {
    ...ours,
    method: 'POST',
    path: '/users/channels/:id/test/',
    summary: 'Sends a test to a channel; to one that has not started, a new code',
    params: IdParams,
    response: { 200: Channel },
    errors: ['throttled', 'unavailable'],
    safety: 'reversible',
  },
  change: {
    ...ours,
    method: 'PATCH',
    path: '/users/channels/:id/',
    summary: 'Renames a channel, chooses the trackers and kinds of alerts that it gets, or switches it off or on again',
    params: IdParams,
    body: z.object({ label: z.optional(Text(1, TEXT_LENGTH.keyLabel)), on: z.optional(z.boolean()), ...choice }),
    response: { 200: Channel },
    safety: 'reversible',
  },
  remove: {
    ...ours,
    method: 'DELETE',
    path: '/users/channels/:id/',
    summary: 'Removes a channel with what waits for it',
    params: IdParams,
    response: { 200: z.object({ id: Id }) },
    safety: 'destructive',
  },
  deliveries: {
    ...ours,
    method: 'GET',
    path: '/users/channels/:id/deliveries/',
    summary: 'Lists the last 50 deliveries to a channel, newest first',
    params: IdParams,
    response: { 200: z.array(ChannelDelivery) },
    safety: 'read',
  },
} as const satisfies Contract
