import * as z from 'zod/mini'
import { CHANNEL_KINDS } from '#contracts/accounts/channels.ts'
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
})
export type SentPush = z.infer<typeof SentPush>

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
