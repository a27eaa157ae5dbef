import * as z from 'zod/mini'
import { ANNOUNCEMENT_LEVELS, Announcement } from '#contracts/accounts/announcements.ts'
import { Language } from '#contracts/accounts/users.ts'
import { IdParams, Instant, listed } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'

export const ANNOUNCEMENT_LENGTH = 500

export const ANNOUNCEMENT_STATES = ['coming', 'shown', 'past'] as const
export type AnnouncementState = (typeof ANNOUNCEMENT_STATES)[number]

export const OperatorAnnouncement = z.extend(Announcement, {
  state: listed(ANNOUNCEMENT_STATES),
  /** Whether the owners of all accounts get it by mail too, and when the last of these mails was queued. */
  is_mailed: z.boolean(),
  mailed_at: z.nullable(Instant),
  created_at: Instant,
})
export type OperatorAnnouncement = z.infer<typeof OperatorAnnouncement>

const Texts = z
  .partialRecord(Language, Text(1, ANNOUNCEMENT_LENGTH))
  .check(z.refine((texts) => Object.keys(texts).length > 0, { error: 'give the message in at least one language' }))

export const NewAnnouncement = z.object({
  level: z.enum(ANNOUNCEMENT_LEVELS),
  texts: Texts,
  /** Without it the message is shown at once. */
  starts_at: z.optional(Instant),
  ends_at: Instant,
  /** Sends it to the owners of all accounts as well, once it begins. */
  is_mailed: z._default(z.boolean(), false),
})

const access = { staff: staffRights.helpCustomers }

/** Messages to everybody who is signed in to the portal. */
export const operatorAnnouncements = {
  list: {
    method: 'GET',
    path: '/operator/api/announcements/',
    summary: 'A page of the announcements, the newest first',
    access,
    query: z.object({
      before: z.optional(z.string().check(z.regex(/^\d{1,15}$/))),
      state: z.optional(z.enum(ANNOUNCEMENT_STATES)),
    }),
    response: { 200: z.object({ announcements: z.array(OperatorAnnouncement), next: z.nullable(z.string()) }) },
    safety: 'read',
    provenance: 'ours',
  },
  make: {
    method: 'POST',
    path: '/operator/api/announcements/',
    summary: 'Shows a message to everybody who is signed in, from an instant to another',
    access,
    body: NewAnnouncement,
    response: { 200: OperatorAnnouncement },
    safety: 'destructive',
    provenance: 'ours',
  },
  end: {
    method: 'POST',
    path: '/operator/api/announcements/:id/end/',
    summary: 'Ends an announcement at once; one that has not begun is never shown',
    access,
    params: IdParams,
    body: z.object({}),
    response: { 200: OperatorAnnouncement },
    errors: ['expired'],
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract
