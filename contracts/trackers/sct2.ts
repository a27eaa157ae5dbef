import * as z from 'zod/mini'
import { IdParams } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { SCT2 } from '#contracts/rules/tracking/sct2.ts'

const within = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most))

/** Parameters of the configurable mode, in minutes. */
export const Sct2Params = z.object({
  frequency: within(SCT2.frequency[0], SCT2.frequency[1]),
  keepalive_period: within(SCT2.keepalive[0], SCT2.keepalive[1]),
  temp_uplink_slices_duration: z.literal(SCT2.uplinkSlices),
  temp_slice_duration: z.literal(SCT2.slice),
})
export type Sct2Params = z.infer<typeof Sct2Params>

export const sct2 = {
  read: {
    method: 'GET',
    path: '/devices/:id/tracker_config/mode_param2/',
    summary: 'Reads the parameters of the configurable mode',
    access: rights.readTrackers,
    scope: 'trackers:read',
    params: IdParams,
    response: { 200: Sct2Params },
    safety: 'read',
    provenance: 'spec',
  },
  update: {
    method: 'PATCH',
    path: '/devices/:id/tracker_config/mode_param2/',
    summary: 'Sets the parameters of the configurable mode and requests it; the query must say `action=ui`',
    access: rights.changeTrackers,
    scope: 'trackers:write',
    params: IdParams,
    query: z.object({ action: z.optional(z.string()) }),
    body: Sct2Params,
    response: { 200: Sct2Params },
    errors: ['action_required'],
    safety: 'reversible',
    provenance: 'spec',
  },
} as const satisfies Contract
