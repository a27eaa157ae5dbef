import * as z from 'zod/mini'
import { Id, Instant, openEnum, Whole } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'

export const FIRING_KINDS = ['place_enter', 'place_leave', 'vehicle_alert', 'low_battery'] as const
export type FiringKind = (typeof FIRING_KINDS)[number]

/** Days for which fired alerts are stored. */
export const FIRING_DAYS = 90

/** An alert that fired; it outlives the alert and the place. Alerts of the same kind and place that fire together are one. */
export const AlertFiring = z.object({
  id: Id,
  /** Time of the position, or of the message with a low battery. */
  at: Instant,
  kind: openEnum(FIRING_KINDS),
  device: Id,
  device_name: z.string(),
  place: z.nullable(Id),
  /** Name of the alert when it fired. */
  place_name: z.nullable(z.string()),
  /** How many e-mails were sent. */
  mails: z.int(),
})
export type AlertFiring = z.infer<typeof AlertFiring>

export const firings = {
  list: {
    method: 'GET',
    path: '/alert_firings/',
    summary: `Returns a page of the alerts that fired in the last ${FIRING_DAYS} days, the newest first; \`next\` is the \`before\` of the next page`,
    access: rights.readPlaces,
    scope: 'alerts:read',
    showsPositions: true,
    query: z.object({
      device: z.optional(Whole),
      place: z.optional(Whole),
      before: z.optional(z.string().check(z.regex(/^\d{1,15}-\d{1,15}$/))),
    }),
    response: { 200: z.object({ firings: z.array(AlertFiring), next: z.nullable(z.string()) }) },
    safety: 'read',
    provenance: 'ours',
  },
} as const satisfies Contract
