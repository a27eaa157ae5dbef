import * as z from 'zod/mini'
import { Id, Instant } from '#contracts/lib/common.ts'
import { type Contract, nothing } from '#contracts/lib/route.ts'
import { Timeout } from './requests.ts'

/**
 * A call of a network's API. The fake refuses the token `revoked` and accepts every other. ChirpStack 4 names its queue item
 * `queue-item-<id>`, ChirpStack 3 by a frame counter, which is the `id` of the call.
 */
export const SentDownlink = z.object({
  id: Id,
  at: Instant,
  url: z.string(),
  token: z.string(),
  body: z.record(z.string(), z.unknown()),
  accepted: z.boolean(),
})
export type SentDownlink = z.infer<typeof SentDownlink>

const read = { access: 'public', safety: 'read', provenance: 'assumed' } as const

/** Downlinks that the world has sent to trackers through their networks. */
export const downlinks = {
  list: {
    ...read,
    method: 'GET',
    path: '/mock/downlinks',
    summary: 'Lists the calls of networks, newest first',
    response: { 200: z.array(SentDownlink) },
  },
  wait: {
    ...read,
    method: 'POST',
    path: '/mock/downlinks/wait',
    summary:
      'Waits until so many calls of networks have been made since the world began or they were cleared, and returns them, newest first',
    body: z.strictObject({ count: z._default(z.int().check(z.positive()), 1), timeout_ms: Timeout }),
    response: { 200: z.array(SentDownlink) },
    errors: ['nothing_came'],
  },
  clear: {
    method: 'DELETE',
    path: '/mock/downlinks',
    summary: 'Clears the calls of networks',
    access: 'public',
    response: { 204: nothing },
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract
