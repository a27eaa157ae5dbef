import * as z from 'zod/mini'
import { Instant } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'

/** The number of days for which positions can be stored, if not without limit. */
export const RETENTION_DAYS = [30, 90, 180, 365] as const

export const Retention = z.object({
  /** How long positions of the account are stored; null is without limit. */
  days: z.nullable(z.int()),
  /** When older positions are removed next; at the earliest a day after the setting was changed. */
  next_removal: z.nullable(Instant),
  /** Positions before this instant were removed because of the setting; null when none were. */
  removed_before: z.nullable(Instant),
})
export type Retention = z.infer<typeof Retention>

export const retention = {
  read: {
    method: 'GET',
    path: '/users/retention/',
    summary: 'Returns how long positions of the account are stored',
    access: rights.ownProfile,
    response: { 200: Retention },
    safety: 'read',
    provenance: 'ours',
  },
  change: {
    method: 'PUT',
    path: '/users/retention/',
    summary: 'Sets how long positions are stored; older ones are removed for good every day, the first time a day later',
    access: rights.ownTrackers,
    recentSignIn: 'always',
    body: z.object({ days: z.nullable(z.literal(RETENTION_DAYS)) }),
    response: { 200: Retention },
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract
