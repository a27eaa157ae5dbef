import * as z from 'zod/mini'
import type { Language } from '#contracts/lib/languages.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import type { FiringKind } from '#contracts/rules/tracking/rules/firing-kinds.ts'

const Base64Url = (bytes: number) => z.string().check(z.regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}=*$`)))

/** A subscription as browsers make it (`PushSubscription.toJSON()`). */
export const PushSubscription = z.object({
  /** Address at the push service of the browser. */
  endpoint: z.url({ protocol: /^https$/ }).check(z.maxLength(1000)),
  keys: z.object({ p256dh: Base64Url(65), auth: Base64Url(16) }),
})
export type PushSubscription = z.infer<typeof PushSubscription>

export const PushState = z.object({
  /** The server's public key for subscriptions (`applicationServerKey`), an uncompressed point of P-256 in base64url. */
  public_key: z.string(),
  /** Whether the browser of this session gets notifications. */
  on: z.boolean(),
})
export type PushState = z.infer<typeof PushState>

/** A button of a notification. A browser may show only two, and some show none. */
export type PushButton = {
  action: 'show' | 'boost' | 'snooze'
  title: string
  /** Page that opens if the service worker cannot do it. It asks before it does the same, because anybody could send a link. */
  url: string
  /** The title of the notification afterwards; `{{time}}` stands for the end of the boost or the silence. */
  done?: string
}

/** What a notification has if it is about one alert, so that the service worker can act on it. */
export type PushedAlert = { device: number; kind: FiringKind; language: Language; buttons: PushButton[] }

/** The text that the browser decrypts. Service workers of earlier releases know only the first three. */
export type PushPayload = {
  title: string
  body: string
  url: string
  alert?: PushedAlert
  /** Path of a map of the place at the API, which needs no session; valid for some hours. */
  image?: string
}

const ours = { access: rights.ownProfile, errors: ['unavailable'], provenance: 'ours' } as const

/** Notifications of alerts to browsers. A subscription belongs to a session and ends with it. */
export const push = {
  read: {
    ...ours,
    method: 'GET',
    path: '/users/push/',
    summary: 'Returns whether the browser of this session gets notifications, and the key to subscribe with',
    response: { 200: PushState },
    safety: 'read',
  },
  subscribe: {
    ...ours,
    method: 'PUT',
    path: '/users/push/',
    summary: 'Sends notifications of alerts to the browser of this session, until it ends',
    body: PushSubscription,
    response: { 200: PushState },
    safety: 'reversible',
  },
  unsubscribe: {
    ...ours,
    method: 'DELETE',
    path: '/users/push/',
    summary: 'Sends no more notifications to the browser of this session',
    response: { 200: PushState },
    safety: 'reversible',
  },
  test: {
    ...ours,
    method: 'POST',
    path: '/users/push/test/',
    summary: 'Sends a notification to the browser of this session',
    response: { 200: PushState },
    errors: ['unavailable', 'not_found'],
    safety: 'reversible',
  },
} as const satisfies Contract
