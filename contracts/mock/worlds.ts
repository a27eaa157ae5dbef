import * as z from 'zod/mini'
import { Instant } from '#contracts/lib/common.ts'
import { type Contract, file, upload } from '#contracts/lib/route.ts'
import { GRACE_DAYS } from '#contracts/rules/service.ts'
import { ClockSetting, ClockState } from './clock.ts'
import { Fault } from './faults.ts'
import { Webhooks } from './payments.ts'
import { Persona, SCENARIO_SIZE, ScenarioName } from './scenarios.ts'

export const WorldId = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, { error: 'At most 40 small letters, digits and hyphens' }))
export const SnapshotName = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, { error: 'At most 60 small letters, digits, hyphens and underscores' }))

const Consent = z.enum(['asked', 'presumed'])

const LARGEST_DOCUMENT = 64 * 1024 * 1024
const WorldParams = z.object({ id: WorldId })
/** Number of trackers of the scenario `crowd`. */
const Size = z.int().check(z.minimum(SCENARIO_SIZE.minimum), z.maximum(SCENARIO_SIZE.maximum))
const GraceDays = z.nullable(z.int().check(z.minimum(GRACE_DAYS.min), z.maximum(GRACE_DAYS.max)))
/** Trackers that accounts may claim: those in stock, as in production, or any free number. */
export const Claims = z.enum(['stock', 'any'])
const Ttl = z.int().check(z.minimum(1), z.maximum(604_800))

export const World = z.object({
  id: z.string(),
  base_url: z.string(),
  /** Chooses the world by a cookie and opens it: for browsers that cannot resolve the host of `base_url`. Takes `to`, a path. */
  enter_url: z.string(),
  scenario: z.string(),
  /** Number of trackers, for scenarios that take a size; otherwise null. */
  size: z.nullable(z.int()),
  seed: z.int(),
  storage: z.enum(['memory', 'file']),
  /** Days after its subscription until a tracker rests; null when none ever rests. */
  grace_days: z.nullable(z.int()),
  /** Whether new contacts have to agree before alert mails are sent to them. */
  contact_consent: Consent,
  claims: Claims,
  clock: ClockState,
  /** When an unused world is removed, in real time; null for one that stays. */
  expires_at: z.nullable(Instant),
})

export const OpenedWorld = z.extend(World, { personas: z.array(z.extend(Persona, { token: z.string() })) })

export const About = z.object({
  version: z.string(),
  world: World,
  faults: z.array(Fault),
  /** `waiting` counts the events not yet delivered to the webhook. */
  payments: z.object({ webhooks: Webhooks, waiting: z.int() }),
  /** Mails sent so far. */
  mail: z.object({ count: z.int() }),
  links: z.record(z.string(), z.string()),
})

/** The worlds of the mock server. */
export const worlds = {
  about: {
    method: 'GET',
    path: '/mock',
    summary: 'Returns the world of the request: scenario and time, faults, payments, mail, and links to everything else',
    access: 'public',
    response: { 200: About },
    safety: 'read',
    provenance: 'assumed',
  },
  list: {
    method: 'GET',
    path: '/mock/worlds',
    summary: 'Lists the worlds of the server, `main` first',
    access: 'public',
    response: { 200: z.array(World) },
    safety: 'read',
    provenance: 'assumed',
  },
  create: {
    method: 'POST',
    path: '/mock/worlds',
    summary: 'Creates a world from a scenario or a snapshot, with its own database, clock and mailbox, and every persona signed in',
    access: 'public',
    body: z.strictObject({
      id: z.optional(WorldId),
      scenario: z.optional(ScenarioName),
      size: z.optional(Size),
      seed: z.optional(z.int()),
      clock: z.optional(ClockSetting),
      /** `file` is for a world too large for memory; both end with the server. */
      storage: z.optional(z.enum(['memory', 'file'])),
      claims: z.optional(Claims),
      ttl_seconds: z.optional(Ttl),
      /** Days after its subscription until a tracker rests; null: none ever rests. Default: as the server (`GRACE_DAYS`). */
      grace_days: z.optional(GraceDays),
      /** Default: as the server (`CONTACT_CONSENT`). */
      contact_consent: z.optional(Consent),
      from: z.optional(SnapshotName),
    }),
    response: { 201: OpenedWorld },
    errors: ['world_exists', 'too_many_worlds'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  import: {
    method: 'POST',
    path: '/mock/worlds/import',
    summary: 'Creates a world from a document: JSON with a list for each kind of rows (docs/testing.md)',
    access: 'public',
    query: z.object({ id: z.optional(WorldId), ttl_seconds: z.optional(z.pipe(z.coerce.number(), Ttl)) }),
    body: upload('application/json', LARGEST_DOCUMENT),
    response: { 201: OpenedWorld },
    errors: ['world_exists', 'too_many_worlds'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  export: {
    method: 'GET',
    path: '/mock/worlds/:id/export',
    summary: 'Returns a world as a readable document, from which the same world can be created; without secrets and mails',
    access: 'public',
    params: WorldParams,
    response: { 200: file('application/json') },
    safety: 'read',
    provenance: 'assumed',
  },
  read: {
    method: 'GET',
    path: '/mock/worlds/:id',
    summary: 'Returns a world by its name',
    access: 'public',
    params: WorldParams,
    response: { 200: World },
    safety: 'read',
    provenance: 'assumed',
  },
  remove: {
    method: 'DELETE',
    path: '/mock/worlds/:id',
    summary: 'Removes a world with all its data; `main` cannot be removed',
    access: 'public',
    params: WorldParams,
    response: { 200: z.object({ id: z.string() }) },
    errors: ['in_use'],
    safety: 'destructive',
    provenance: 'assumed',
  },
  clone: {
    method: 'POST',
    path: '/mock/worlds/:id/clone',
    summary: 'Copies a world with its data and the time of its clock',
    access: 'public',
    params: WorldParams,
    body: z.strictObject({ id: z.optional(WorldId), ttl_seconds: z.optional(Ttl) }),
    response: { 201: OpenedWorld },
    errors: ['world_exists', 'too_many_worlds'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  reset: {
    method: 'POST',
    path: '/mock/reset',
    summary: 'Resets the world of the request, with its seed or another one',
    access: 'public',
    body: z.strictObject({
      scenario: z.optional(ScenarioName),
      size: z.optional(Size),
      seed: z.optional(z.int()),
      keep: z.optional(z.array(z.enum(['journal']))),
    }),
    response: { 200: OpenedWorld },
    safety: 'destructive',
    provenance: 'assumed',
  },
} as const satisfies Contract
