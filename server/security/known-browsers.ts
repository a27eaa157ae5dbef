import { formatInstant } from '#contracts/rules/time.ts'
import type { DbReader, Tx } from '#db/db.ts'
import type { users } from '#db/schema/accounts.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import type { Caller, HandlerContext } from '#server/ports/world.ts'
import { type BrowserRow, deleteBrowsers, listBrowsers, saveBrowser } from './security.store.ts'

/** A browser that has not signed in for this long counts as new. */
export const KNOWN_BROWSER_DAYS = 365

/** Browsers remembered per user; programs without cookies would add one at each sign-in. */
const MAX_BROWSERS = 20

type User = Pick<typeof users.$inferSelect, 'id' | 'email' | 'language' | 'timeZone'>

const hasCookieOf = ({ browser }: Caller, { hash }: BrowserRow) => browser !== null && hash === sha256(browser)

/** A browser without its cookie counts as known if browser, system and network are the same. */
const looksLike = ({ agent, network }: Caller, known: BrowserRow) => agent !== null && agent === known.agent && network === known.place

/** Whether the user has signed in with this browser before; then other people's wrong passwords do not slow it down. */
export async function isKnownBrowser(db: DbReader, userId: number | null, caller: Caller) {
  return userId !== null && (await listBrowsers(db, userId)).some((known) => hasCookieOf(caller, known))
}

/** Remembers a browser; returns those that were known before. */
export async function rememberBrowser(
  tx: Tx,
  { caller, clock }: Pick<HandlerContext, 'caller' | 'clock'>,
  userId: number,
  browser: string,
) {
  const known = await listBrowsers(tx, userId)
  await saveBrowser(tx, { userId, hash: sha256(browser), agent: caller.agent, place: caller.network, lastSeenAt: clock.now() })
  const surplus = known.slice(MAX_BROWSERS - 1).map(({ hash }) => hash)
  if (surplus.length > 0) await deleteBrowsers(tx, userId, surplus)
  return known
}

/** Remembers the browser of a sign-in, and mails a notice to the user unless it is known or their first. */
export async function recordBrowser(tx: Tx, { caller, clock }: Pick<HandlerContext, 'caller' | 'clock'>, user: User, browser: string) {
  const now = clock.now()
  const known = await rememberBrowser(tx, { caller, clock }, user.id, browser)
  if (known.length === 0 || known.some((each) => hasCookieOf(caller, each) || looksLike(caller, each))) return
  const data = { datetime: formatInstant(now), agent: caller.agent ?? '', place: caller.network ?? '' }
  await queueMail(tx, { to: user.email, template: 'new_sign_in', ...recipientColumns(user), data, now })
}
