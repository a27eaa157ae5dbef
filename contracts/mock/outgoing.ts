import * as z from 'zod/mini'
import { CHANNEL_KINDS } from '#contracts/accounts/channels.ts'
import { AlertSilence, NewSilence } from '#contracts/accounts/silences.ts'
import { AlertFiring, FIRING_KINDS } from '#contracts/firings.ts'
import { Id, IdParams, Instant } from '#contracts/lib/common.ts'
import { type Contract, nothing } from '#contracts/lib/route.ts'
import { Timeout } from './requests.ts'

/** A notification to a browser, which the mock server records and never sends. */
export const SentPush = z.object({
  id: Id,
  at: Instant,
  /** The e-mail of the user. */
  user: z.string(),
  endpoint: z.string(),
  title: z.string(),
  body: z.string(),
  /** The page that opens on a click. */
  url: z.string(),
  /** Further things that the user can do with one press, if it is about an alert. */
  buttons: z.array(z.object({ action: z.string(), title: z.string() })),
})
export type SentPush = z.infer<typeof SentPush>

/** A notification as a push service gets it (RFC 8030). */
export const PushRequest = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  /** Encrypted (RFC 8291), in base64. */
  body: z.string(),
})

const read = { access: 'public', safety: 'read', provenance: 'assumed' } as const

/** The push service of the mock server: the notifications of the request's world. */
export const pushes = {
  list: {
    ...read,
    method: 'GET',
    path: '/mock/pushes',
    summary: 'Lists the notifications to browsers, newest first',
    response: { 200: z.array(SentPush) },
  },
  wait: {
    ...read,
    method: 'POST',
    path: '/mock/pushes/wait',
    summary: 'Waits for a notification to a browser and returns the newest; `after` skips older ones',
    body: z.strictObject({ user: z.optional(z.string()), after: z.optional(Id), timeout_ms: Timeout }),
    response: { 200: SentPush },
    errors: ['nothing_came'],
  },
  request: {
    ...read,
    method: 'GET',
    path: '/mock/pushes/:id/request',
    summary: 'Returns the request that would be sent to the push service: encrypted for the browser, and signed',
    params: IdParams,
    response: { 200: PushRequest },
    errors: ['not_found'],
  },
  gone: {
    method: 'POST',
    path: '/mock/pushes/:id/gone',
    summary: 'Answers a notification as a push service does when the browser has withdrawn its permission: the subscription ends',
    access: 'public',
    params: IdParams,
    response: { 204: nothing },
    errors: ['not_found'],
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract

/** A request to a receiver of alerts: a webhook, Telegram or ntfy. The world records it, and sends nothing. */
export const SentHook = z.object({
  id: Id,
  at: Instant,
  kind: z.enum(CHANNEL_KINDS),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  /** The body as it was sent, which is what the signature is about. */
  body: z.string(),
  /** The body as JSON. */
  json: z.record(z.string(), z.unknown()),
  /** The status of the response; null: none came in time. */
  status: z.nullable(z.int()),
})
export type SentHook = z.infer<typeof SentHook>

/** How receivers respond. */
export const HookAnswer = z.strictObject({
  /** A status; null: no response in time. */
  status: z.nullable(z.int().check(z.minimum(200), z.maximum(599))),
  /** Of one kind only; by default of all. */
  kind: z.optional(z.enum(CHANNEL_KINDS)),
  /** For this long by the clock of the world, then they accept everything again; by default for ever. */
  minutes: z.optional(z.number().check(z.positive())),
})
export type HookAnswer = z.infer<typeof HookAnswer>

const change = { access: 'public', safety: 'reversible', provenance: 'assumed' } as const

/** Receivers of alerts as the mock server plays them. They refuse as the real ones do: a chat `404`, a bot or topic token `revoked`. */
export const hooks = {
  list: {
    ...read,
    method: 'GET',
    path: '/mock/hooks',
    summary: 'Lists the requests to webhooks, Telegram and ntfy, newest first',
    response: { 200: z.array(SentHook) },
  },
  wait: {
    ...read,
    method: 'POST',
    path: '/mock/hooks/wait',
    summary: 'Waits for a request to a webhook, to Telegram or to ntfy and returns the newest; `after` skips older ones',
    body: z.strictObject({
      kind: z.optional(z.enum(CHANNEL_KINDS)),
      /** Text that the body contains. */
      text: z.optional(z.string()),
      after: z.optional(Id),
      timeout_ms: Timeout,
    }),
    response: { 200: SentHook },
    errors: ['nothing_came'],
  },
  answer: {
    ...change,
    method: 'PUT',
    path: '/mock/hooks/answer',
    summary: 'Sets how receivers respond from now on, such as 410, or 500 for an hour',
    body: HookAnswer,
    response: { 200: HookAnswer },
  },
  clear: {
    ...change,
    method: 'DELETE',
    path: '/mock/hooks',
    summary: 'Clears the requests, and lets receivers accept everything again',
    response: { 204: nothing },
  },
} as const satisfies Contract

const Persona = z.string().check(z.minLength(1))

/** What fired in the world, as a persona sees it; without a persona that of all accounts, with shortened addresses. */
export const firings = {
  list: {
    ...read,
    method: 'GET',
    path: '/mock/firings',
    summary: 'Lists the newest 50 alerts that fired, of all accounts or as a persona sees them',
    query: z.object({ persona: z.optional(Persona) }),
    response: { 200: z.array(AlertFiring) },
  },
  wait: {
    ...read,
    method: 'POST',
    path: '/mock/firings/wait',
    summary: 'Waits for an alert to fire, silenced ones too, and returns the newest; `after` skips older ones',
    body: z.strictObject({
      persona: z.optional(Persona),
      kind: z.optional(z.enum(FIRING_KINDS)),
      device: z.optional(Id),
      after: z.optional(Id),
      timeout_ms: Timeout,
    }),
    response: { 200: AlertFiring },
    errors: ['nothing_came'],
  },
  see: {
    ...change,
    method: 'POST',
    path: '/mock/firings/seen',
    summary: 'Marks everything that fired as seen by a persona',
    body: z.strictObject({ persona: Persona }),
    response: { 204: nothing },
  },
} as const satisfies Contract

/** Muted alerts of the world. */
export const silences = {
  list: {
    ...read,
    method: 'GET',
    path: '/mock/silences',
    summary: 'Lists the running silences of all accounts, the first to end first',
    response: { 200: z.array(AlertSilence) },
  },
  create: {
    ...change,
    method: 'POST',
    path: '/mock/silences',
    summary: 'Silences alerts as a persona, with the fields of `POST /alert_silences/`',
    body: z.strictObject({ persona: Persona, ...NewSilence.shape }),
    response: { 201: AlertSilence },
    errors: ['limit_reached'],
  },
  end: {
    ...change,
    method: 'DELETE',
    path: '/mock/silences/:id',
    summary: 'Ends a silence',
    params: IdParams,
    response: { 204: nothing },
    errors: ['not_found'],
  },
} as const satisfies Contract
