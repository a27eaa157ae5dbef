import * as z from 'zod/mini'
import { Id, Instant } from '#contracts/lib/common.ts'
import { type Contract, nothing } from '#contracts/lib/route.ts'
import { CallMatch } from './faults.ts'

/** `drift` means that the only breaches are fields unknown to the contract. */
export const VERDICTS = ['pass', 'drift', 'fail'] as const
export type Verdict = (typeof VERDICTS)[number]

export const Breach = z.object({
  side: z.enum(['request', 'response']),
  kind: z.enum(['invalid', 'unknown']),
  path: z.string(),
  message: z.string(),
})

const Side = z.object({ headers: z.record(z.string(), z.string()), body: z.string() })

/** A request and its response, without secrets. */
export const Entry = z.object({
  id: Id,
  at: Instant,
  duration_ms: z.number(),
  method: z.string(),
  url: z.string(),
  /** The name of the endpoint, such as `orders.list`; null for an unknown address. */
  route: z.nullable(z.string()),
  /** The e-mail of the signed-in user. */
  user: z.nullable(z.string()),
  /** 0 when the connection closed without a response. */
  status: z.int(),
  /** Names of the faults that affected it. */
  faults: z.array(Id),
  verdict: z.enum(VERDICTS),
  breaches: z.array(Breach),
  request: Side,
  response: Side,
})
export type Entry = z.infer<typeof Entry>

/** Selects journal entries; of bodies and queries only the given fields are compared. */
export const EntryMatch = z.extend(CallMatch, {
  status: z.optional(z.int()),
  verdict: z.optional(z.enum(VERDICTS)),
  query: z.optional(z.record(z.string(), z.string())),
  body: z.optional(z.unknown()),
  answer: z.optional(z.unknown()),
  /** Only requests after this entry. */
  after: z.optional(Id),
})
export type EntryMatch = z.infer<typeof EntryMatch>

const Count = z.int().check(z.nonnegative())
/** Time to wait, in milliseconds. */
export const Timeout = z._default(z.int().check(z.nonnegative(), z.maximum(60_000)), 5000)

/** The required number of requests; `count` sets both bounds. */
const Often = z.extend(EntryMatch, { count: z.optional(Count), at_least: z.optional(Count), at_most: z.optional(Count) }).check(
  z.refine(({ count, at_least, at_most }) => count === undefined || (at_least === undefined && at_most === undefined), {
    path: ['count'],
    error: 'Either count, or at_least and at_most',
  }),
  z.refine(({ at_least = 0, at_most = at_least }) => at_least <= at_most, { path: ['at_most'], error: 'Less than at_least' }),
)

const read = { access: 'public', safety: 'read', provenance: 'assumed' } as const

/** The journal: the newest 1000 API requests in the request's world, each checked against its contract. */
export const requests = {
  list: {
    ...read,
    method: 'GET',
    path: '/mock/requests',
    summary: 'Lists the requests of the world, newest first',
    query: z.object({ limit: z._default(z.coerce.number().check(z.int(), z.positive(), z.maximum(1000)), 100) }),
    response: { 200: z.array(Entry) },
  },
  har: {
    ...read,
    method: 'GET',
    path: '/mock/requests.har',
    summary: 'Returns the requests as an HTTP archive, for the network tab of any browser',
    response: { 200: z.object({ log: z.looseObject({ version: z.string(), entries: z.array(z.looseObject({})) }) }) },
  },
  clear: {
    method: 'DELETE',
    path: '/mock/requests',
    summary: 'Clears the requests of the world',
    access: 'public',
    response: { 204: nothing },
    safety: 'reversible',
    provenance: 'assumed',
  },
  find: {
    ...read,
    method: 'POST',
    path: '/mock/requests/find',
    summary: 'Finds requests, newest first',
    body: EntryMatch,
    response: { 200: z.array(Entry) },
  },
  count: {
    ...read,
    method: 'POST',
    path: '/mock/requests/count',
    summary: 'Counts the matching requests',
    body: EntryMatch,
    response: { 200: z.object({ count: z.int() }) },
  },
  wait: {
    ...read,
    method: 'POST',
    path: '/mock/requests/wait',
    summary: 'Waits until enough matching requests have been made, and returns them',
    body: z.extend(EntryMatch, { count: z._default(Count, 1), timeout_ms: Timeout }),
    response: { 200: z.array(Entry) },
    errors: ['nothing_came'],
  },
  verify: {
    ...read,
    method: 'POST',
    path: '/mock/requests/verify',
    summary: 'Asserts how often a request was made: `count` times, or between `at_least` and `at_most`; at least once by default',
    body: Often,
    response: { 200: z.object({ count: z.int() }) },
    errors: ['not_verified'],
  },
} as const satisfies Contract

export const Violation = z.extend(Breach, {
  id: Id,
  at: Instant,
  route: z.nullable(z.string()),
  method: z.string(),
  url: z.string(),
  status: z.int(),
})
export type Violation = z.infer<typeof Violation>

/** Every breach of a contract since the world was created or its violations were last cleared. */
export const violations = {
  list: {
    ...read,
    method: 'GET',
    path: '/mock/contract/violations',
    summary: 'Lists where requests and responses of the world broke their contracts, oldest first; `id` is that of the request',
    response: { 200: z.array(Violation) },
  },
  clear: {
    method: 'DELETE',
    path: '/mock/contract/violations',
    summary: 'Clears the violations of the world',
    access: 'public',
    response: { 204: nothing },
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract
