import type { DbReader, Tx } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import {
  type AnnouncementRow,
  findAnnouncement,
  findNextToMail,
  listAccountsAfter,
  listToMail,
  updateAnnouncement,
} from './announcements.store.ts'

/** Accounts of a transaction: a million of them must not hold up other writers. */
const BATCH = 200

/**
 * Mails an announcement to the owners of all accounts whose address is confirmed. Each transaction stores the last account, so a
 * restarted server continues from there and sends no mail twice.
 */
export const announcementMail = {
  name: 'announcement_mail',
  next: findNextToMail,
  async dueSince(db: DbReader, by: Date) {
    const [first] = await listToMail(db, by)
    return first?.startsAt ?? null
  },
  due: async (db: DbReader, by: Date) =>
    (await listToMail(db, by)).map(({ id }) => ({
      ref: `announcements/${id}`,
      lock: [`announcement:${id}`] as const,
      async run(tx: Tx, now: Date) {
        const announcement = await findAnnouncement(tx, id)
        if (!announcement?.isMailed || announcement.mailedAt || announcement.endsAt <= now) return false
        const batch = await listAccountsAfter(tx, announcement.mailedUpTo ?? 0, BATCH)
        for (const accountId of batch) {
          const owner = await findAccountOwner(tx, accountId)
          if (!owner?.emailConfirmed) continue
          const data = { text: pickText(announcement.texts, owner.language) }
          await queueMail(tx, { to: owner.email, template: 'announcement', ...recipientColumns(owner), data, now })
        }
        const mailedUpTo = batch.at(-1) ?? announcement.mailedUpTo
        await updateAnnouncement(tx, id, { mailedUpTo, mailedAt: batch.length < BATCH ? now : null })
        return true
      },
    })),
}

/** The text in a language, else in English, else in the first language. */
const pickText = (texts: AnnouncementRow['texts'], language: keyof AnnouncementRow['texts']) =>
  texts[language] ?? texts.en ?? Object.values(texts)[0] ?? ''
