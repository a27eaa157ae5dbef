import * as z from 'zod/mini'
import { TermsVersion } from '#contracts/accounts/users.ts'
import { Instant } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'

export const Terms = z.object({
  /** The version in force; null when the operator has no terms. */
  version: z.nullable(z.string()),
  /** The version that the user has accepted, and when; null before. */
  accepted_version: z.nullable(z.string()),
  accepted_at: z.nullable(Instant),
})
export type Terms = z.infer<typeof Terms>

export const terms = {
  read: {
    method: 'GET',
    path: '/users/terms/',
    summary: 'Returns the version of the terms in force, and the one that the user has accepted',
    access: rights.ownProfile,
    response: { 200: Terms },
    safety: 'read',
    provenance: 'ours',
  },
  accept: {
    method: 'PUT',
    path: '/users/terms/',
    summary: 'Accepts the terms in force; another version gets 400',
    access: rights.ownProfile,
    body: z.object({ version: TermsVersion }),
    response: { 200: Terms },
    safety: 'reversible',
    provenance: 'ours',
  },
} as const satisfies Contract
