import * as z from 'zod/mini'
import { open } from '#contracts/common.ts'
import { ROLES } from '#contracts/constants.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { ClockSetting, ClockState } from './clock.ts'

export const WorldId = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/))

const WorldState = z.object({
  id: z.string(),
  base_url: z.string(),
  personas: z.array(z.object({ key: z.string(), email: z.string(), password: z.string(), token: z.string(), role: open(ROLES) })),
  clock: ClockState,
})

/** The worlds of the mock server. */
export const worlds = {
  create: {
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
} as const satisfies Contract
