import type { serialAttempts, unlinkRequests } from '#db/schema/sharing.ts'
import type { Moments } from './moments.ts'
import { getPersona, PERSONAS } from './personas.ts'
import { SEED } from './seed-ids.ts'

/** Trackers of Victor that others try to claim, each in another state of the serial check. */
export const CONFLICTS = { free: '8000000001', oneAttempt: '8000000002', locked: '8000000003', pending: '8000000004' } as const

/** The accounts that have guessed wrong: all except the owner's and support's. */
const guessing = [
  ...new Set(PERSONAS.filter(({ key, role }) => key !== 'victor' && role !== 'deepsupport').map(({ accountId }) => accountId)),
]

export const serialAttemptRows: (typeof serialAttempts.$inferInsert)[] = guessing.flatMap((accountId) => [
  { identifier: CONFLICTS.oneAttempt, accountId, remaining: 1 },
  { identifier: CONFLICTS.locked, accountId, remaining: 0 },
])

export const unlinkRequestRows = (at: Moments): (typeof unlinkRequests.$inferInsert)[] => [
  {
    id: SEED.unlinkRequest,
    identifier: CONFLICTS.pending,
    userId: getPersona('bruno').id,
    email: getPersona('bruno').email,
    reason: 'bought_used',
    message: 'Bought at a flea market, the seller has no account any more.',
    purchaseDate: at({ days: -20 }).toISOString().slice(0, 10),
    purchasePlace: 'Feria de Tristán Narvaja',
    orderReference: null,
    status: 'pending',
    createdAt: at({ days: -2 }),
  },
]
