import * as z from 'zod/mini'
import { Id } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'

/** The owner of an account, or the administrator of its team, and the trackers of the account. */
export const TrackerOwner = z.object({ id: Id, email: z.string(), name: z.string(), trackers: z.array(Id) })
export type TrackerOwner = z.infer<typeof TrackerOwner>

export const owners = {
  list: {
    method: 'GET',
    path: '/devices/owners/',
    summary: 'Lists for support who owns which trackers, in order of the e-mail addresses',
    access: rights.readOwners,
    response: { 200: z.array(TrackerOwner) },
    safety: 'read',
    provenance: 'ours',
  },
} as const satisfies Contract
