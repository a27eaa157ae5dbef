import { tokens, users } from './accounts.ts'
import { bool, index, instant, int, pk, str, table } from './columns.ts'

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
