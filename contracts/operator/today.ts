import * as z from 'zod/mini'
import type { Contract } from '#contracts/lib/route.ts'
import { staffRights } from '#contracts/lib/staff-rights.ts'

/** What happened in the last 24 hours, 7 days and 30 days. */
const Period = z.object({ day: z.int(), week: z.int(), month: z.int() })
export type Period = z.infer<typeof Period>

export const Today = z.object({
  waiting: z.object({
    /** Pending requests of owners. */
    requests: z.int(),
    /** Orders that are not sent yet. */
    orders: z.int(),
    /** Invoices of renewals that the card did not pay. */
    failed_payments: z.int(),
    /** Payments that nothing explains. */
    unexplained_payments: z.int(),
    /** Mails that are unsent ten minutes after they were due, or given up. */
    late_mails: z.int(),
  }),
  figures: z.object({
    sign_ups: Period,
    /** Subscriptions that began: by included months, a purchase or a code. */
    activations: Period,
    /** Paid renewals. */
    renewals: Period,
    /** Trackers whose subscription ended and was not renewed since. */
    ended: Period,
    /** Trackers with a running subscription. */
    active: z.int(),
    /** Users whose e-mail address is not confirmed. */
    unconfirmed: z.int(),
  }),
})
export type Today = z.infer<typeof Today>

export const today = {
  get: {
    method: 'GET',
    path: '/operator/api/today/',
    summary: 'What waits for staff, and the figures of the business',
    access: { staff: staffRights.work },
    response: { 200: Today },
    safety: 'read',
    provenance: 'ours',
  },
} as const satisfies Contract
