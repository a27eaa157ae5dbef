import * as z from 'zod/mini'
import { Id, IdParams } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'

/** The battery level below which the owner and these contacts get a mail. The unit follows from the type of the tracker. */
export const BatteryAlert = z.object({ threshold: z.int(), unit: z.enum(['percent', 'millivolts']), contacts: z.array(Id) })
export type BatteryAlert = z.infer<typeof BatteryAlert>

const BatteryAlertChange = z.object({
  threshold: z.int().check(z.minimum(1), z.maximum(5000)),
  contacts: z.array(Id).check(z.maxLength(50)),
})
export type BatteryAlertChange = z.infer<typeof BatteryAlertChange>

export const batteryAlerts = {
  read: {
    method: 'GET',
    path: '/devices/:id/battery_alert/',
    summary: 'Reads below which battery level a tracker alerts its owner, and which contacts it alerts too',
    access: rights.readTrackers,
    scope: 'alerts:read',
    params: IdParams,
    response: { 200: BatteryAlert },
    safety: 'read',
    provenance: 'ours',
  },
  save: {
    method: 'PUT',
    path: '/devices/:id/battery_alert/',
    summary: 'Sets the level, 5 to 50 percent or 3000 to 3700 mV, and the contacts of the low battery alert',
    access: rights.changeTrackers,
    scope: 'alerts:write',
    params: IdParams,
    body: BatteryAlertChange,
    response: { 200: BatteryAlert },
    safety: 'reversible',
    provenance: 'ours',
  },
} as const satisfies Contract
