import type { Language } from '#contracts/lib/languages.ts'
import { tokens, users } from './accounts.ts'
import { bool, index, instant, int, json, pk, str, table } from './columns.ts'

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

/** Browsers that get notifications. Each belongs to a session and ends with it. */
export const pushBrowsers = table(
  'push_browsers',
  {
    id: pk(),
    userId: int()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    session: str()
      .notNull()
      .unique()
      .references(() => tokens.hash, { onDelete: 'cascade' }),
    endpoint: str().notNull().unique(),
    /** The public key of the browser and the secret that it shares with this server, both in base64url. */
    p256dh: str().notNull(),
    auth: str().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [index('push_browsers_by_user').on(t.userId)],
)

/** Pending notifications, written in the transaction that causes them and deleted once sent. */
export const pushes = table(
  'pushes',
  {
    id: pk(),
    browserId: int()
      .notNull()
      .references(() => pushBrowsers.id, { onDelete: 'cascade' }),
    title: str().notNull(),
    body: str().notNull(),
    /** Path of the page that opens on a click. */
    url: str().notNull(),
    isUrgent: bool().notNull(),
    createdAt: instant().notNull(),
    attempts: int().notNull().default(0),
    nextAttemptAt: instant(),
  },
  (t) => [index('pushes_by_browser').on(t.browserId)],
)
