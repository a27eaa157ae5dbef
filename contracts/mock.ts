import * as z from 'zod/mini'
import type { Contract } from '#contracts/lib/route.ts'
import { Id, IdParams, Instant, open } from './common.ts'
import { ROLES } from './constants.ts'

export const WorldId = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/))

const ClockState = z.object({ now: Instant, mode: z.enum(['frozen', 'flow']), rate: z.number() })

const ClockSetting = z.object({
  at: z.optional(Instant),
  mode: z.optional(z.enum(['frozen', 'flow'])),
  rate: z.optional(z.number().check(z.positive(), z.maximum(10_000))),
})

const WorldState = z.object({
  id: z.string(),
  base_url: z.string(),
  personas: z.array(z.object({ key: z.string(), email: z.string(), password: z.string(), token: z.string(), role: open(ROLES) })),
  clock: ClockState,
})

/** A job that ran or an alert that fired; `ref` names what it was about, such as `devices/7`. */
const Fired = z.object({ at: Instant, kind: z.string(), ref: z.string() })

/** The control plane of the mock server: worlds and their clocks. It does not exist in production. */
export const mock = {
  createWorld: {
    method: 'POST',
    path: '/mock/worlds',
    summary: 'Clones a seeded world with a database, a clock and a mailbox of its own',
    access: 'public',
    body: z.object({ id: z.optional(WorldId), seed: z.optional(z.int()), clock: z.optional(ClockSetting) }),
    response: { 201: WorldState },
    errors: ['world_exists'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  reset: {
    method: 'POST',
    path: '/mock/reset',
    summary: 'Puts the world of the request back to its seed',
    access: 'public',
    body: z.object({ seed: z.optional(z.int()) }),
    response: { 200: WorldState },
    safety: 'destructive',
    provenance: 'assumed',
  },
  clock: {
    method: 'GET',
    path: '/mock/clock',
    summary: 'Tells the time of the world',
    access: 'public',
    response: { 200: ClockState },
    safety: 'read',
    provenance: 'assumed',
  },
  setClock: {
    method: 'POST',
    path: '/mock/clock',
    summary: 'Sets, freezes or speeds up the clock of the world',
    access: 'public',
    body: ClockSetting,
    response: { 200: ClockState },
    safety: 'reversible',
    provenance: 'assumed',
  },
  advance: {
    method: 'POST',
    path: '/mock/clock/advance',
    summary: 'Moves the clock forward by an ISO 8601 duration such as `PT5M` or `P3D`, and runs what falls due in order of time',
    access: 'public',
    body: z.object({ by: z.string().check(z.regex(/^P(?=\d|T\d)(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?$/)) }),
    response: { 200: z.object({ from: Instant, to: Instant, positions: z.int(), fired: z.array(Fired) }) },
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract

const MailHead = z.object({
  id: Id,
  to: z.string(),
  template: z.string(),
  language: z.string(),
  subject: z.string(),
  created_at: Instant,
  sent_at: z.nullable(Instant),
})

/** The mailbox of the mock server: what the world of the request has written. */
export const mockMail = {
  list: {
    method: 'GET',
    path: '/mock/mail',
    summary: 'Lists the e-mails of the world, newest first; the address must match exactly',
    access: 'public',
    query: z.object({ to: z.optional(z.string()), template: z.optional(z.string()) }),
    response: { 200: z.array(MailHead) },
    safety: 'read',
    provenance: 'assumed',
  },
  read: {
    method: 'GET',
    path: '/mock/mail/:id',
    summary: 'Reads an e-mail: subject, text, HTML, the links and codes in it and the data it was made of',
    access: 'public',
    params: IdParams,
    response: {
      200: z.extend(MailHead, {
        text: z.string(),
        html: z.string(),
        links: z.array(z.string()),
        codes: z.array(z.string()),
        data: z.record(z.string(), z.string()),
      }),
    },
    safety: 'read',
    provenance: 'assumed',
  },
} as const satisfies Contract
