import * as z from 'zod/mini'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { Device } from './devices.ts'
import { NewTracker } from './trackers.ts'

export const NewPhone = z.pick(z.object(NewTracker.shape), { name: true, kind: true })
export type NewPhone = z.infer<typeof NewPhone>

/** Phones as trackers: they are in no stock, and the server chooses their identifiers. */
export const phoneTrackers = {
  add: {
    method: 'POST',
    path: '/devices/phones/',
    summary: 'Adds a phone to the account as a tracker; the first one of an account comes with included months',
    access: rights.ownTrackers,
    showsPositions: true,
    body: NewPhone,
    response: { 201: Device },
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract
