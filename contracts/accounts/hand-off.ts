import * as z from 'zod/mini'
import { Instant } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { User } from './users.ts'

/** How long a code is valid; it works once. */
export const HAND_OFF_MINUTES = 5

/** Prefix of every code. */
export const HAND_OFF_PREFIX = 'hand_'

const HandOffCode = z.string().check(z.regex(/^hand_[0-9a-f]{40}$/))

/** Signs the same user in on another device, by an address that contains a code instead of a token. */
export const handOff = {
  create: {
    method: 'POST',
    path: '/api/v1/auth/hand_off/',
    summary: `Returns a code that opens the portal elsewhere, as /?hand_off=<code>, in the name of this session: once, within ${HAND_OFF_MINUTES} minutes. A newer code replaces it`,
    access: rights.ownProfile,
    response: { 201: z.object({ hand_off: HandOffCode, until: Instant }) },
    safety: 'reversible',
    provenance: 'ours',
  },
  redeem: {
    method: 'POST',
    path: '/api/v1/auth/hand_off/redeem/',
    summary: 'Returns the token of a new session for a hand-off code; it counts as signed in when the other session was, and ends no later',
    access: 'public',
    body: z.object({ hand_off: HandOffCode }),
    response: { 200: z.object({ user: User, token: z.string() }) },
    errors: ['expired'],
    safety: 'reversible',
    provenance: 'ours',
  },
} as const satisfies Contract
