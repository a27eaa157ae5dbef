import type { SecurityEntry } from '#contracts/accounts/security.ts'
import { formatInstant, HOUR_MS } from '#contracts/rules/time.ts'
import { onCommit } from '#db/commit-hooks.ts'
import type { Tx } from '#db/db.ts'
import type { Viewer } from '#db/scope.ts'
import type { HandlerContext, ViewerContext } from '#server/ports/world.ts'
import { type EntryRow, hasEndedUseSince, hasEntrySince, insertEntries, listEntries, type NewEntry } from './security.store.ts'

type Ports = Pick<HandlerContext, 'clock' | 'log' | 'caller'> & { viewer?: Viewer & { email?: string } }
/** Without `userId` it concerns the whole account, by default that of the viewer. */
type Event = Pick<NewEntry, 'kind'> & Partial<Pick<NewEntry, 'userId' | 'aboutId' | 'about' | 'who'>> & { accountId?: number | undefined }

/** Adds a line to the security log, and to the server's own log once the recorded transaction has committed. */
export async function recordEvent(tx: Tx, { clock, log, caller, viewer }: Ports, event: Event) {
  const accountId = event.accountId ?? viewer?.accountId
  if (accountId === undefined) throw new Error(`${event.kind} names no account`)
  const actor = { actorId: viewer?.userId ?? null, who: viewer?.email ?? null }
  await insertEntries(tx, [{ ...actor, ...event, accountId, at: clock.now(), place: caller.network }])
  const logged = { security: event.kind, account: accountId, user: event.userId, actor: actor.actorId, network: caller.network }
  onCommit(tx, () => log.info(logged, 'security event'))
}

/** Rows per statement; PostgreSQL accepts at most 65,535 values. */
const ROWS_AT_ONCE = 1000

type Subject = Required<Pick<NewEntry, 'accountId' | 'aboutId' | 'about'>>

/** Adds a line of the kind to the log of each account, and one for all of them to the server's own log once the transaction has committed. */
export async function recordEvents(
  tx: Tx,
  { clock, log, caller, viewer }: Ports & { viewer: Viewer & { email: string } },
  kind: NewEntry['kind'],
  subjects: readonly Subject[],
) {
  const line = { kind, actorId: viewer.userId, who: viewer.email, at: clock.now(), place: caller.network }
  for (let from = 0; from < subjects.length; from += ROWS_AT_ONCE) {
    await insertEntries(
      tx,
      subjects.slice(from, from + ROWS_AT_ONCE).map((subject) => ({ ...line, ...subject })),
    )
  }
  const about = subjects.length === 1 ? { account: subjects[0]?.accountId } : { accounts: subjects.length }
  onCommit(tx, () => log.info({ security: kind, ...about, actor: viewer.userId, network: caller.network }, 'security event'))
}

/** Writes an erased account to the server's own log; its lines of the security log are erased with it. */
export const logErasure = ({ log, caller, viewer }: ViewerContext) =>
  log.info({ security: 'account_erased', account: viewer.accountId, user: viewer.userId, network: caller.network }, 'security event')

/** Records frequent events once an hour for each user and network. */
export async function recordOncePerHour(tx: Tx, ports: Ports, event: Event & { userId: number }) {
  const since = new Date(ports.clock.now().getTime() - HOUR_MS)
  if (!(await hasEntrySince(tx, { ...event, place: ports.caller.network }, since))) await recordEvent(tx, ports, event)
}

/** Records once an hour that a link or an API token of the account is used after its expiry, from anywhere. */
export async function recordEndedUse(tx: Tx, ports: Ports, ended: Required<Pick<NewEntry, 'accountId' | 'userId' | 'aboutId' | 'about'>>) {
  const since = new Date(ports.clock.now().getTime() - HOUR_MS)
  if (!(await hasEndedUseSince(tx, ended, since))) await recordEvent(tx, ports, { kind: 'ended_key_used', ...ended })
}

const PAGE_SIZE = 50

/** A page of events that concern the user, and the account if the user is its owner or administrator; newest first. */
export async function readSecurityLog({ db, viewer }: ViewerContext, before: string | undefined) {
  const rows = await listEntries(db.read, viewer, { limit: PAGE_SIZE + 1, ...(before !== undefined && { before: Number(before) }) })
  const page = rows.slice(0, PAGE_SIZE)
  return { entries: page.map(presentEntry), next: rows.length > PAGE_SIZE ? String(page.at(-1)!.id) : null }
}

const presentEntry = ({ at, kind, who, place, about }: EntryRow): SecurityEntry => ({
  at: formatInstant(at),
  kind,
  who,
  where: place,
  about,
})
