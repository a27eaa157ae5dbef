import * as z from 'zod/mini'
import { Instant } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'

/** The app for one-time codes of the world's users and staff. */
export const secondFactor = {
  code: {
    method: 'GET',
    path: '/mock/second_factor/:email',
    summary: 'Returns a code with which the user or member of staff can sign in now; while time stands still, two codes are at hand',
    access: 'public',
    params: z.object({ email: z.string() }),
    response: {
      200: z.object({
        code: z.string(),
        /** When the code's half minute ends. */
        valid_until: Instant,
        /** Every code of this half minute was used: advance the clock. */
        is_used: z.boolean(),
      }),
    },
    safety: 'read',
    provenance: 'assumed',
  },
} as const satisfies Contract
