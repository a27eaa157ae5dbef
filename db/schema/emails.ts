import type { Language } from '#contracts/lib/constants.ts'
import { users } from './accounts.ts'
import { index, instant, int, json, pk, str, table } from './columns.ts'

/** The outbox: written in the transaction of the change that causes the mail, sent by a dispatcher when SMTP is set. */
export const emails = table(
  'emails',
  {
    id: pk(),
    /** The user whose account the mail is about. The mail is deleted with this account, also when somebody else received it. */
    userId: int().references(() => users.id, { onDelete: 'cascade' }),
    to: str().notNull(),
    template: str().notNull(),
    language: str<Language>().notNull(),
    /** IANA name of the reader's zone; null reads as UTC. */
    timeZone: str(),
    data: json<Record<string, string>>().notNull(),
    createdAt: instant().notNull(),
    sentAt: instant(),
    attempts: int().notNull().default(0),
    nextAttemptAt: instant(),
  },
  (t) => [index('emails_by_recipient').on(t.to), index('emails_by_user').on(t.userId), index('emails_unsent').on(t.sentAt)],
)
