import type { SecurityKind } from '#contracts/lib/security-kinds.ts'
import { accounts, users } from './accounts.ts'
import { index, instant, int, pk, str, table } from './columns.ts'

/** What happened to an account; rows are only added, and deleted after a year. */
export const securityLog = table(
  'security_log',
  {
    id: pk(),
    accountId: int()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Whom it concerns alone; null for what concerns the account. */
    userId: int().references(() => users.id, { onDelete: 'cascade' }),
    at: instant().notNull(),
    kind: str<SecurityKind>().notNull(),
    /** Who did it, which outlives them; null when nobody was signed in. */
    actorId: int(),
    who: str(),
    /** Network of the request. */
    place: str(),
    /** The tracker, where there is one; the line outlives it. */
    aboutId: int(),
    /** What it was about: the name of a tracker, a link or a browser. */
    about: str(),
  },
  (t) => [
    index('security_log_by_account').on(t.accountId, t.id),
    index('security_log_by_actor').on(t.actorId, t.at),
    index('security_log_by_time').on(t.at),
  ],
)
