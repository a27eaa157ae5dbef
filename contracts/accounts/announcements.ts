import * as z from 'zod/mini'
import { Id, Instant, openEnum } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'

export const ANNOUNCEMENT_LEVELS = ['info', 'warning'] as const
export type AnnouncementLevel = (typeof ANNOUNCEMENT_LEVELS)[number]

export const Announcement = z.object({
  id: Id,
  level: openEnum(ANNOUNCEMENT_LEVELS),
  /** The message by language, such as `en`. */
  texts: z.record(z.string(), z.string()),
  starts_at: Instant,
  ends_at: Instant,
})
export type Announcement = z.infer<typeof Announcement>

/** What the company that runs the portal has to say to everybody who is signed in. */
export const announcements = {
  list: {
    method: 'GET',
    path: '/users/announcements/',
    summary: 'Lists the announcements that are shown now, the oldest first',
    access: rights.ownProfile,
    response: { 200: z.array(Announcement) },
    safety: 'read',
    provenance: 'ours',
  },
} as const satisfies Contract
