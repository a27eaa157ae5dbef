import * as z from 'zod/mini'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'

export const SERIAL_ATTEMPTS = 3
export const SERIAL_PROOF_MINUTES = 15

/** Attempts that the account has left to enter the S/N of a tracker; for support, those of the account with the fewest. */
export const SerialCheck = z.object({ identifier: z.string(), remaining_attempts: z.int(), locked: z.boolean() })
export type SerialCheck = z.infer<typeof SerialCheck>

/** A secret that proves that the S/N was entered correctly; another backend may use another format. */
export const SerialProof = z.string().check(z.regex(/^[\w-]{16,100}$/))

const ByIdentifier = z.object({ identifier: z.string() })

export const serialChecks = {
  read: {
    method: 'GET',
    path: '/devices/trackers/serial_check/',
    summary: 'Returns how many attempts at the S/N of a tracker the account has left',
    access: rights.readTrackers,
    query: ByIdentifier,
    response: { 200: SerialCheck },
    errors: ['invalid_identifier', 'unknown_tracker'],
    safety: 'read',
    provenance: 'assumed',
  },
  check: {
    method: 'POST',
    path: '/devices/trackers/serial_check/',
    summary: 'Checks the S/N of a tracker on another account; returns a proof that works once within 15 minutes',
    access: rights.changeTrackers,
    body: z.object({ identifier: z.string(), serial: z.string() }),
    response: { 200: z.object({ verified: z.literal(true), serial_proof: SerialProof }) },
    errors: ['invalid_identifier', 'invalid_serial', 'unknown_tracker', 'serial_mismatch', 'serial_locked', 'reported_missing'],
    safety: 'destructive',
    provenance: 'assumed',
  },
  unlock: {
    method: 'POST',
    path: '/devices/trackers/serial_check/unlock/',
    summary: 'Resets the attempts of all accounts at the S/N of a tracker',
    access: rights.unlockSerial,
    body: ByIdentifier,
    response: { 200: SerialCheck },
    errors: ['invalid_identifier', 'unknown_tracker'],
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract
