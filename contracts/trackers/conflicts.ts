import * as z from 'zod/mini'
import { listed } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Email, Paragraphs, Text } from '#contracts/rules/reading/text-fields.ts'
import { SerialProof } from './serial-checks.ts'

export const UNLINK_REASONS = ['bought_used', 'gift', 'own_other_account', 'other'] as const

export const UnlinkRequest = z
  .object({
    identifier: z.optional(z.string()),
    serial: z.optional(z.string()),
    email: Email,
    reason: z.enum(UNLINK_REASONS),
    message: z.optional(Paragraphs(0, TEXT_LENGTH.message)),
    purchase_date: z.optional(z.iso.date()),
    purchase_place: z.optional(Text(1, 200)),
    order_reference: z.optional(Text(1, 60)),
    serial_proof: z.optional(SerialProof),
  })
  .check(
    z.refine((body) => body.identifier !== undefined || body.serial !== undefined, {
      path: ['identifier'],
      error: 'identifier or serial is required',
    }),
  )
export type UnlinkRequest = z.infer<typeof UnlinkRequest>

export const conflicts = {
  requestUnlink: {
    method: 'POST',
    path: '/devices/trackers/unlink_request/',
    summary: 'Requests the release of a tracker that is on another account',
    access: rights.changeTrackers,
    body: UnlinkRequest,
    response: { 201: z.object({ reference: z.string(), status: listed(['pending', 'accepted']) }) },
    errors: ['unknown_tracker', 'request_pending', 'serial_locked', 'reported_missing'],
    safety: 'destructive',
    provenance: 'assumed',
  },
} as const satisfies Contract
