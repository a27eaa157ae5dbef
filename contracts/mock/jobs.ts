import * as z from 'zod/mini'
import { Instant } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { Fired } from './clock.ts'

/** Scheduled jobs of the world. */
export const jobs = {
  list: {
    method: 'GET',
    path: '/mock/jobs',
    summary: 'Lists the jobs of the world: how much is due now, and when the next piece falls due',
    access: 'public',
    response: { 200: z.array(z.object({ name: z.string(), due: z.int(), next: z.nullable(Instant) })) },
    safety: 'read',
    provenance: 'assumed',
  },
  run: {
    method: 'POST',
    path: '/mock/jobs/:name/run',
    summary: 'Does what is due of one job, at the time of the world',
    access: 'public',
    params: z.object({ name: z.string() }),
    response: { 200: z.object({ fired: z.array(Fired) }) },
    safety: 'destructive',
    provenance: 'assumed',
  },
} as const satisfies Contract
