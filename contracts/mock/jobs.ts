import * as z from 'zod/mini'
import { Instant } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { Fired } from './clock.ts'

/** Scheduled jobs of the world. */
export const jobs = {
  list: {
    method: 'GET',
    path: '/mock/jobs',
    summary: 'Lists the jobs of the world: how many items are due now, and when the next one falls due',
    access: 'public',
    response: { 200: z.array(z.object({ name: z.string(), due: z.int(), next: z.nullable(Instant) })) },
    safety: 'read',
    provenance: 'assumed',
  },
  run: {
    method: 'POST',
    path: '/mock/jobs/:name/run',
    summary: 'Runs the items of one job that are due at the time of the world',
    access: 'public',
    params: z.object({ name: z.string() }),
    response: { 200: z.object({ fired: z.array(Fired) }) },
    safety: 'destructive',
    provenance: 'assumed',
  },
} as const satisfies Contract
