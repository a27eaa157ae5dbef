import * as z from 'zod/mini'
import { IdParams } from '#contracts/lib/common.ts'
import { type ErrorCode, errors } from '#contracts/lib/errors.ts'
import { type Contract, nothing } from '#contracts/lib/route.ts'

/** The longest somebody waits on purpose. */
const LONGEST_MS = 600_000
const Wait = z.int().check(z.positive(), z.maximum(LONGEST_MS))

/** Which calls are meant: those that agree with all that is named. */
export const CallMatch = z.strictObject({
  method: z.optional(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
  /** The name of a call (`orders.list`) or its path, as documented or as it is sent; `*` stands for anything. */
  route: z.optional(z.string()),
  /** Who calls: the key of a persona, or an e-mail. */
  persona: z.optional(z.string()),
  /** Whether the call wants somebody signed in, a device, or nobody. */
  access: z.optional(z.enum(['public', 'device', 'signed_in'])),
})
export type CallMatch = z.infer<typeof CallMatch>

const codes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]]

const common = {
  match: z.optional(CallMatch),
  /** How often it happens; each time when it is not said. */
  times: z.optional(z.int().check(z.positive())),
  /** How many calls go well before. */
  after: z.optional(z.int().check(z.nonnegative())),
  /** Of the calls that match, drawn by the seed of the world. */
  probability: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
}

const HeaderName = z.string().check(z.regex(/^[\w!#$%&'*+.^`|~-]+$/))
const HeaderValue = z.string().check(z.regex(/^[\t\x20-\x7e\x80-\xff]*$/))

/** A path such as `results.0.lat` into the JSON that is answered; `*` stands for every element. */
const Path = z.string().check(z.minLength(1))

/** What goes wrong, and when. */
export const NewFault = z.discriminatedUnion('effect', [
  z.strictObject({
    ...common,
    effect: z.literal('status'),
    status: z.int().check(z.minimum(400), z.maximum(599)),
    code: z.optional(z.enum(codes)),
    /** Answered as it is: text as HTML, anything else as JSON. */
    body: z.optional(z.unknown()),
    headers: z.optional(z.record(HeaderName, HeaderValue)),
  }),
  z.strictObject({ ...common, effect: z.literal('latency'), ms: Wait }),
  /** Nothing is answered; after `ms` the connection ends, or when the caller gives up. */
  z.strictObject({ ...common, effect: z.literal('hang'), ms: z.optional(Wait) }),
  /** The connection ends at once. */
  z.strictObject({ ...common, effect: z.literal('reset') }),
  /** The status without its body. */
  z.strictObject({ ...common, effect: z.literal('empty') }),
  /** The first half of the body. */
  z.strictObject({ ...common, effect: z.literal('malformed') }),
  /** The body in pieces that take `ms` altogether. */
  z.strictObject({ ...common, effect: z.literal('slow'), ms: Wait }),
  z
    .strictObject({
      ...common,
      effect: z.literal('mutate'),
      set: z.optional(z.record(Path, z.unknown())),
      remove: z.optional(z.array(Path)),
    })
    .check(z.refine(({ set, remove }) => set ?? remove, { path: ['set'], error: 'Either set, or remove, or both' })),
  /** A read is answered as the first time after the fault was set, whatever has changed since. */
  z.strictObject({ ...common, effect: z.literal('stale') }),
])
export type NewFault = z.infer<typeof NewFault>

/** A fault as it stands: how many calls it matched, and to how many it happened. */
export const Fault = z.looseObject({ id: z.int(), effect: z.string(), matched: z.int(), happened: z.int() })

export const PRESETS = ['offline', 'session_expired', 'hang_31s', 'flaky', 'maintenance', 'contract_drift'] as const
export type Preset = (typeof PRESETS)[number]

/** What goes wrong with the calls of the documented API in the world of the request. */
export const faults = {
  list: {
    method: 'GET',
    path: '/mock/faults',
    summary: 'Lists the faults of the world in the order in which they were set',
    access: 'public',
    response: { 200: z.array(Fault) },
    safety: 'read',
    provenance: 'assumed',
  },
  create: {
    method: 'POST',
    path: '/mock/faults',
    summary: 'Makes calls fail, wait, hang or lie: all of them, or those that match',
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
    params: z.object({ name: z.enum(PRESETS) }),
    response: { 201: z.array(Fault) },
    safety: 'reversible',
    provenance: 'assumed',
  },
  clear: {
    method: 'DELETE',
    path: '/mock/faults',
    summary: 'Ends all faults of the world',
    access: 'public',
    response: { 204: nothing },
    safety: 'reversible',
    provenance: 'assumed',
  },
  remove: {
    method: 'DELETE',
    path: '/mock/faults/:id',
    summary: 'Ends a fault',
    access: 'public',
    params: IdParams,
    response: { 204: nothing },
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract
