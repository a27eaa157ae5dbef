import * as z from 'zod/mini'
import { Id, IdParams, Instant } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'

export const Gateway = z.object({
  id: Id,
  label: z.string(),
  created_at: z.nullable(Instant),
  last_used_at: z.nullable(Instant),
})
export type Gateway = z.infer<typeof Gateway>

/** Keys with which the company's own network reports for every tracker: the `X-Device-Key` of `POST /devices/ingest/`. */
export const gateways = {
  list: {
    method: 'GET',
    path: '/operator/api/gateways/',
    summary: 'Lists the gateways, the newest first',
    access: { staff: staffRights.handleStock },
    response: { 200: z.array(Gateway) },
    safety: 'read',
    provenance: 'ours',
  },
  make: {
    method: 'POST',
    path: '/operator/api/gateways/',
    summary: 'Makes a key that reports for every tracker; it is shown once',
    access: { staff: staffRights.handleStock },
    body: z.object({ label: Text(1, TEXT_LENGTH.keyLabel) }),
    response: { 200: z.object({ gateway: Gateway, key: z.string() }) },
    safety: 'reversible',
    provenance: 'ours',
  },
  end: {
    method: 'DELETE',
    path: '/operator/api/gateways/:id/',
    summary: 'Ends a gateway at once',
    access: { staff: staffRights.handleStock },
    params: IdParams,
    response: { 200: z.object({ id: Id }) },
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract
