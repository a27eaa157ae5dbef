import type { Language } from '#contracts/lib/languages.ts'
import { users } from './accounts.ts'
import { index, instant, int, json, pk, str, table } from './columns.ts'

/** `reason`: code of the failure; `host`: the mail server; `message`: its response, without addresses. */
export type MailFailure = { reason: string; host: string; message: string }

/** The outbox: written in the transaction of the change that causes the mail, sent by a dispatcher when SMTP is set. */
export const emails = table(
  'emails',
  {
    id: pk(),
    /** The user whose account the mail is about. The mail is deleted with this account, even if its recipient is somebody else. */
    userId: int().references(() => users.id, { onDelete: 'cascade' }),
    to: str().notNull(),
    template: str().notNull(),
    language: str<Language>().notNull(),
    /** IANA time zone of the recipient; null means UTC. */
    timeZone: str(),
    data: json<Record<string, string>>().notNull(),
    createdAt: instant().notNull(),
    sentAt: instant(),
    attempts: int().notNull().default(0),
    /** While a server sends the mail: the end of its lease. */
    nextAttemptAt: instant(),
    /** Time of the final failure; then only the operator can have it sent again. */
    givenUpAt: instant(),
    /** Reason of the last failure. */
    failure: json<MailFailure>(),
  },
  (t) => [index('emails_by_recipient').on(t.to), index('emails_by_user').on(t.userId), index('emails_unsent').on(t.sentAt)],
)
