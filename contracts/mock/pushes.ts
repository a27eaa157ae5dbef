import * as z from 'zod/mini'
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
