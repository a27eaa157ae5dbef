import * as z from 'zod/mini'
import { Id, Instant, openEnum } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { SCOPES } from '#contracts/lib/scopes.ts'
import { ACCOUNT_LIMITS, TEAM_DEVICES_MAX } from '#contracts/limits/account-limits.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'

/** Identifies a token without revealing it. */
const TokenId = z.string().check(z.regex(/^[0-9a-f]{16}$/))

/** A token with which one of the owner's programs calls the API. */
export const ApiToken = z.object({
  id: z.string(),
  label: z.string(),
  scopes: z.array(openEnum(SCOPES)),
  /** The only trackers that the token gives access to; null for all trackers of the account, including later ones. */
  devices: z.nullable(z.array(Id)),
  created_at: Instant,
  /** When the token expires; null if it never does. */
  until: z.nullable(Instant),
  /** Time of the last use, to within ten minutes; null if never used. */
  last_used_at: z.nullable(Instant),
})
export type ApiToken = z.infer<typeof ApiToken>

/** The only response with the token. */
export const CreatedApiToken = z.extend(ApiToken, { token: z.string() })
export type CreatedApiToken = z.infer<typeof CreatedApiToken>

export const NewApiToken = z.object({
  label: Text(1, TEXT_LENGTH.keyLabel),
  scopes: z.array(z.enum(SCOPES)).check(z.minLength(1), z.maxLength(SCOPES.length)),
  devices: z._default(z.nullable(z.array(Id).check(z.minLength(1), z.maxLength(TEAM_DEVICES_MAX))), null),
  until: z._default(z.nullable(Instant), null),
})
export type NewApiToken = z.input<typeof NewApiToken>

export const apiTokens = {
  list: {
    method: 'GET',
    path: '/users/tokens/',
    summary: 'Lists the API tokens of the user that have not ended, newest first',
    access: rights.ownTrackers,
    response: { 200: z.array(ApiToken) },
    safety: 'read',
    provenance: 'ours',
  },
  create: {
    method: 'POST',
    path: '/users/tokens/',
    summary: `Creates an API token, at most ${ACCOUNT_LIMITS.apiTokens} per user; this response is the only one with the token`,
    access: rights.ownTrackers,
    recentSignIn: 'always',
    body: NewApiToken,
    response: { 201: CreatedApiToken },
    errors: ['limit_reached'],
    safety: 'reversible',
    provenance: 'ours',
  },
  remove: {
    method: 'DELETE',
    path: '/users/tokens/:id/',
    summary: 'Revokes an API token; its requests are rejected from then on, and its live streams end',
    access: rights.ownTrackers,
    params: z.object({ id: TokenId }),
    response: { 200: z.object({ id: z.string() }) },
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract
