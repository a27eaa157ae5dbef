import * as z from 'zod/mini'
import { CreatedApiToken, NewApiToken } from '#contracts/accounts/api-tokens.ts'
import { User } from '#contracts/accounts/users.ts'
import { openEnum } from '#contracts/lib/common.ts'
import { ROLES } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'

/** Initial states of a world: `family` contains every persona; each other scenario serves one purpose. */
export const SCENARIO_KEYS = [
  'family',
  'empty',
  'theft',
  'sct2',
  'pro',
  'billing_trouble',
  'expiring',
  'link_code',
  'unconfirmed',
  'conflict',
  'links_max',
  'second_factor',
  'alarms',
  'shop',
  'crowd',
  'edge',
] as const
export type ScenarioKey = (typeof SCENARIO_KEYS)[number]

/** One of these scenarios, or one of the folder with which the server was started. */
export const ScenarioName = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, { error: 'At most 40 small letters, digits, hyphens and underscores' }))
/** Suggests the scenarios of the server without excluding others. */
export type ScenarioName = ScenarioKey | (string & {})

/** Limits of the number of trackers of a scenario that has a size. */
export const SCENARIO_SIZE = { minimum: 10, maximum: 10_000 } as const

export const Persona = z.object({ key: z.string(), email: z.string(), password: z.string(), role: openEnum(ROLES) })

/** Scenarios and their personas. */
export const scenarios = {
  list: {
    method: 'GET',
    path: '/mock/scenarios',
    summary: 'Lists the scenarios with their story, the sections of the specification and the screens they serve, and their personas',
    access: 'public',
    response: {
      200: z.array(
        z.object({
          key: z.string(),
          title: z.string(),
          covers: z.array(z.string()),
          routes: z.array(z.string()),
          personas: z.array(z.string()),
          /** The default number of trackers; null for a scenario whose trackers are fixed. */
          size: z.nullable(z.int()),
        }),
      ),
    },
    safety: 'read',
    provenance: 'assumed',
  },
  personas: {
    method: 'GET',
    path: '/mock/personas',
    summary: 'Lists the personas of the world, the main one of its scenario first',
    access: 'public',
    response: { 200: z.array(z.extend(Persona, { name: z.string(), language: z.string(), currency: z.string() })) },
    safety: 'read',
    provenance: 'assumed',
  },
  login: {
    method: 'POST',
    path: '/mock/login',
    summary:
      "Signs a persona in without the form: returns a token, the entries of the portal's storage, and the address that opens it signed in, once and within five minutes",
    access: 'public',
    body: z.strictObject({ persona: z.string() }),
    response: {
      200: z.object({ token: z.string(), user: User, storage: z.record(z.string(), z.string()), url: z.string() }),
    },
    safety: 'reversible',
    provenance: 'assumed',
  },
  token: {
    method: 'POST',
    path: '/mock/api_tokens',
    summary: 'Creates an API token of a persona without a recent sign-in, with every scope that it can have unless some are named',
    access: 'public',
    body: z.strictObject({
      persona: z.string(),
      ...NewApiToken.shape,
      label: z._default(NewApiToken.shape.label, 'Test'),
      scopes: z.optional(NewApiToken.shape.scopes),
    }),
    response: { 201: CreatedApiToken },
    errors: ['limit_reached'],
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract
