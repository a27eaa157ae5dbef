import type { Announcement, announcements as contract } from '#contracts/accounts/announcements.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Handlers } from '#server/http/serve.ts'
import { type AnnouncementRow, listShown } from './announcements.store.ts'

export const presentAnnouncement = ({ id, level, texts, startsAt, endsAt }: AnnouncementRow): Announcement => ({
  id,
  level,
  texts,
  starts_at: formatInstant(startsAt),
  ends_at: formatInstant(endsAt),
})

export const announcements: Handlers<typeof contract> = {
  list: async (_, { db, clock }) => (await listShown(db.read, clock.now())).map(presentAnnouncement),
}
