import * as z from 'zod/mini'
import { IdParams } from '#contracts/lib/common.ts'
import { type ErrorCode, errors } from '#contracts/lib/errors.ts'
import { type Contract, nothing } from '#contracts/lib/route.ts'
import { choice, describeChoice } from './choices.ts'

/** Longest delay of a fault. */
const LONGEST_MS = 600_000
const Wait = z.int().check(z.positive(), z.maximum(LONGEST_MS))

/** Selects requests: all given criteria must match. */
export const CallMatch = z.strictObject({
  method: z.optional(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
  /** The name of an endpoint (`orders.list`) or its path, as documented or as sent; `*` is a wildcard. */
  route: z.optional(z.string().check(z.maxLength(500))),
  /** The signed-in user: the key of a persona, or an e-mail. */
  persona: z.optional(z.string()),
  /** Whether the endpoint is public, for a device or for signed-in users. */
  access: z.optional(z.enum(['public', 'device', 'signed_in'])),
})
export type CallMatch = z.infer<typeof CallMatch>

/** What a value must be: equal, or text that a regular expression matches. */
const Expected = z.union([
  z.strictObject({ matches: z.string().check(z.maxLength(200), z.refine(isRegExp, { error: 'Not a regular expression' })) }),
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
])
export type Expected = z.infer<typeof Expected>

/** A path such as `results.0.lat` into JSON; `*` stands for every element. */
const Path = z.string().check(z.minLength(1))

/** The request's own content: every named value must match. Absent values are null. */
export const FaultMatch = z.extend(CallMatch, {
  query: z.optional(z.record(z.string(), Expected)),
  headers: z.optional(z.record(z.string(), Expected)),
  /** Values of the JSON body by path; with `*` at least one element must match. */
  body: z.optional(z.record(Path, Expected)),
})
export type FaultMatch = z.infer<typeof FaultMatch>

function isRegExp(source: string) {
  try {
    return Boolean(new RegExp(source))
  } catch {
    return false
  }
}

const codes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]]

const common = {
  match: z.optional(FaultMatch),
  /** The number of requests to affect; all when omitted. */
  times: z.optional(z.int().check(z.positive())),
  /** The number of matching requests that succeed first. */
  after: z.optional(z.int().check(z.nonnegative())),
  /** Share of the matching requests to affect, drawn with the world's seed. */
  probability: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
}

const HeaderName = z.string().check(z.regex(/^[\w!#$%&'*+.^`|~-]+$/))
const HeaderValue = z.string().check(z.regex(/^[\t\x20-\x7e\x80-\xff]*$/))

const EFFECTS = ['status', 'respond', 'latency', 'hang', 'reset', 'empty', 'malformed', 'slow', 'stream', 'mutate', 'stale']
const explainEffect = ({ input }: { input?: unknown }) => describeChoice((input as { effect?: unknown } | null)?.effect, EFFECTS)

/** An injected failure, and the requests that it applies to. */
export const NewFault = z.discriminatedUnion(
  'effect',
  [
    z.strictObject({
      ...common,
      effect: z.literal('status'),
      status: z.int().check(z.minimum(400), z.maximum(599)),
      code: z.optional(z.enum(codes)),
      /** The response body: text is sent as HTML, anything else as JSON. */
      body: z.optional(z.unknown()),
      headers: z.optional(z.record(HeaderName, HeaderValue)),
    }),
    /**
     * Responds instead of the server, also on paths unknown to the API. Text in `body` and `headers` may hold `{{params.id}}`,
     * `{{query.q}}`, `{{headers.accept}}`, `{{body.name}}`, `{{now}}` and `{{uuid}}`; text that is one such placeholder keeps the type of
     * its value.
     */
    z.strictObject({
      ...common,
      effect: z.literal('respond'),
      status: z._default(z.int().check(z.minimum(200), z.maximum(599)), 200),
      body: z.optional(z.unknown()),
      headers: z.optional(z.record(HeaderName, HeaderValue)),
    }),
    /** Waits before the response, and up to `jitter_ms` more, drawn with the world's seed. */
    z.strictObject({ ...common, effect: z.literal('latency'), ms: Wait, jitter_ms: z.optional(Wait) }),
    /** Sends no response; the connection closes after `ms`, or when the client gives up. */
    z.strictObject({ ...common, effect: z.literal('hang'), ms: z.optional(Wait) }),
    /** Closes the connection at once. */
    z.strictObject({ ...common, effect: z.literal('reset') }),
    /** Sends status and headers without the body. */
    z.strictObject({ ...common, effect: z.literal('empty') }),
    /** Sends the first half of the body. */
    z.strictObject({ ...common, effect: z.literal('malformed') }),
    /** Sends the body in pieces over `ms` in total, or at a fixed rate. */
    z
      .strictObject({
        ...common,
        effect: z.literal('slow'),
        ms: z.optional(Wait),
        bytes_per_second: z.optional(z.int().check(z.minimum(100))),
      })
      .check(
        z.refine(({ ms, bytes_per_second }) => (ms === undefined) !== (bytes_per_second === undefined), {
          path: ['ms'],
          error: 'Either ms or bytes_per_second',
        }),
      ),
    /** Disturbs every `every`-th event of a live stream; after `stall` nothing more is sent, and the connection stays open. */
    z.strictObject({
      ...common,
      effect: z.literal('stream'),
      action: z.enum(['drop', 'duplicate', 'reorder', 'stall']),
      every: z._default(z.int().check(z.positive()), 1),
    }),
    z
      .strictObject({
        ...common,
        effect: z.literal('mutate'),
        set: z.optional(z.record(Path, z.unknown())),
        remove: z.optional(z.array(Path)),
      })
      .check(z.refine(({ set, remove }) => set ?? remove, { path: ['set'], error: 'Either set, or remove, or both' })),
    /** Repeats the first response to a read since the fault was created, whatever has changed since then. */
    z.strictObject({ ...common, effect: z.literal('stale') }),
  ],
  { error: explainEffect },
)
export type NewFault = z.infer<typeof NewFault>

/**
 * A fault with the number of requests it matched and the number it affected; `words` describe its effect from now on, `notes` its misses:
 * no request matched, or a path of `mutate` was not found.
 */
export const Fault = z.looseObject({
  id: z.int(),
  effect: z.string(),
  words: z.string(),
  notes: z.array(z.string()),
  matched: z.int(),
  happened: z.int(),
})

export const PRESETS = [
  'offline',
  'session_expired',
  'hang_31s',
  'flaky',
  'maintenance',
  'contract_drift',
  'slow_3g',
  'fast_3g',
  'satellite',
] as const
export type Preset = (typeof PRESETS)[number]

/** Failures injected into the documented API of the request's world. */
export const faults = {
  list: {
    method: 'GET',
    path: '/mock/faults',
    summary: 'Lists the faults of the world in the order of their creation',
    access: 'public',
    response: { 200: z.array(Fault) },
    safety: 'read',
    provenance: 'assumed',
  },
  unused: {
    method: 'GET',
    path: '/mock/faults/unused',
    summary: 'Lists the faults that were set in this world, also removed ones, that never happened or whose paths hit nothing',
    access: 'public',
    response: { 200: z.array(Fault) },
    safety: 'read',
    provenance: 'assumed',
  },
  create: {
    method: 'POST',
    path: '/mock/faults',
    summary: 'Makes matching requests fail, wait, hang, return wrong data or be answered as the fault says',
    access: 'public',
    body: NewFault,
    response: { 201: Fault },
    safety: 'reversible',
    provenance: 'assumed',
  },
  preset: {
    method: 'POST',
    path: '/mock/faults/presets/:name',
    summary: `Sets faults that belong together: ${PRESETS.join(', ')}`,
    access: 'public',
    params: z.object({ name: choice(PRESETS) }),
    response: { 201: z.array(Fault) },
    safety: 'reversible',
    provenance: 'assumed',
  },
  clear: {
    method: 'DELETE',
    path: '/mock/faults',
    summary: 'Removes all faults of the world',
    access: 'public',
    response: { 204: nothing },
    safety: 'reversible',
    provenance: 'assumed',
  },
  remove: {
    method: 'DELETE',
    path: '/mock/faults/:id',
    summary: 'Removes a fault',
    access: 'public',
    params: IdParams,
    response: { 204: nothing },
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract
