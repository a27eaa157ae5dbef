import type { NoticeReason, NoticeState } from '#contracts/firings.ts'
import type { DbReader, Tx } from '#db/db.ts'
import type { NoticeLine } from '#db/schema/places.ts'
import {
  closeFiring,
  listDeliveryStates,
  listHeldStates,
  listMailStates,
  listOpenFirings,
  listPendingPushes,
  listPushResults,
} from './notices.store.ts'

type Outcome = { state: NoticeState; at: Date | null; reason?: NoticeReason; status?: number; to?: string }

/** `isSettled`: no server sends the mails and notifications of this world, so they have arrived once they are stored. */
type Outboxes = { isSettled: boolean }

/** Returns the lines of each firing with their present states, which are read from the outboxes. */
export async function resolveNotices(db: DbReader, firings: readonly (readonly NoticeLine[])[], outboxes: Outboxes) {
  const open = firings.flat().filter(({ state }) => state === undefined)
  const held = byId(await read(db, idsOf(open, 'held'), listHeldStates))
  const mailIds = [...refsOf(open, 'email'), ...[...held.values()].flatMap(({ mailId }) => mailId ?? [])]
  const pushIds = refsOf(open, 'push')
  const found = {
    held,
    mails: byId(await read(db, mailIds, listMailStates)),
    pending: byId(await read(db, pushIds, listPendingPushes)),
    results: new Map((await read(db, pushIds, listPushResults)).map((result) => [result.pushId, result])),
    deliveries: byId(
      await read(db, [...refsOf(open, 'webhook'), ...refsOf(open, 'telegram'), ...refsOf(open, 'ntfy')], listDeliveryStates),
    ),
  }
  return firings.map((lines) => lines.map((line) => resolveLine(line, found, outboxes)))
}

export type ResolvedLine = NoticeLine & { state: NoticeState }
type Found = {
  held: Map<number, Awaited<ReturnType<typeof listHeldStates>>[number]>
  mails: Map<number, Awaited<ReturnType<typeof listMailStates>>[number]>
  pending: Map<number, Awaited<ReturnType<typeof listPendingPushes>>[number]>
  results: Map<number, Awaited<ReturnType<typeof listPushResults>>[number]>
  deliveries: Map<number, Awaited<ReturnType<typeof listDeliveryStates>>[number]>
}

function resolveLine(line: NoticeLine, found: Found, outboxes: Outboxes): ResolvedLine {
  const { state, ...rest } = line
  if (state !== undefined) return { ...rest, state }
  const { at, ...outcome } = findOutcome(line, found, outboxes)
  return { ...rest, ...outcome, ...(at && { at: at.getTime() }) }
}

function findOutcome({ way, ref, held }: NoticeLine, found: Found, outboxes: Outboxes): Outcome {
  if (held !== undefined) return heldOutcome(held, found, outboxes)
  if (ref === undefined) return DISCARDED
  if (way === 'email') return mailOutcome(found.mails.get(ref), outboxes)
  if (way === 'push') return pushOutcome(ref, found, outboxes)
  return deliveryOutcome(found.deliveries.get(ref))
}

/** Only the operator removes a mail that was not sent, or a restore what waited. */
const DISCARDED: Outcome = { state: 'failed', at: null, reason: 'discarded' }

function heldOutcome(id: number, found: Found, outboxes: Outboxes): Outcome {
  const held = found.held.get(id)
  if (!held) return DISCARDED
  if (held.mailId !== null) return mailOutcome(found.mails.get(held.mailId), outboxes)
  return held.endedAt
    ? { state: 'muted', at: held.endedAt, reason: 'unsubscribed' }
    : { state: 'held', at: held.until, reason: 'quiet_hours' }
}

function mailOutcome(mail: ReturnType<Found['mails']['get']>, { isSettled }: Outboxes): Outcome {
  if (!mail) return DISCARDED
  const { to, createdAt, sentAt, givenUpAt, nextAttemptAt, failure } = mail
  if (sentAt) return { to, state: 'sent', at: sentAt }
  const reason = failure?.reason === 'RESTORED' ? 'discarded' : 'mail_server'
  if (givenUpAt) return { to, state: 'failed', at: givenUpAt, reason }
  if (isSettled) return { to, state: 'sent', at: createdAt }
  return { to, state: 'waiting', at: nextAttemptAt, ...(failure && { reason }) }
}

function pushOutcome(id: number, { results, pending }: Found, { isSettled }: Outboxes): Outcome {
  const result = results.get(id)
  if (result?.outcome === 'sent') return { state: 'sent', at: result.at }
  if (result) return { state: 'failed', at: result.at, reason: result.outcome }
  const push = pending.get(id)
  // It is removed with its browser, when the user signs out there.
  if (!push) return { state: 'failed', at: null, reason: 'gone' }
  return isSettled ? { state: 'sent', at: push.createdAt } : { state: 'waiting', at: push.nextAttemptAt }
}

function deliveryOutcome(delivery: ReturnType<Found['deliveries']['get']>): Outcome {
  // It is removed with its channel, whether it had arrived or not.
  if (!delivery) return { state: 'unknown', at: null, reason: 'removed' }
  const { createdAt, attempts, nextAttemptAt, endedAt, failure, stoppedAt } = delivery
  const why = failure && { reason: failure.reason as NoticeReason, ...(failure.status !== null && { status: failure.status }) }
  if (endedAt && why) return { state: 'failed', at: endedAt, ...why }
  if (endedAt) return attempts > 0 ? { state: 'delivered', at: endedAt } : { state: 'failed', at: endedAt, reason: 'stopped' }
  if (stoppedAt) return { state: 'failed', at: stoppedAt, reason: 'stopped' }
  if (attempts === 0 && nextAttemptAt > createdAt) return { state: 'held', at: nextAttemptAt, reason: 'quiet_hours' }
  return { state: 'waiting', at: nextAttemptAt, ...why }
}

const idsOf = (lines: readonly NoticeLine[], key: 'ref' | 'held') => lines.flatMap((line) => line[key] ?? [])
const refsOf = (lines: readonly NoticeLine[], way: NoticeLine['way']) =>
  idsOf(
    lines.filter((line) => line.way === way),
    'ref',
  )

const byId = <T extends { id: number }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]))

/** Parameters per statement. */
const MAX_IDS = 1000

async function read<T>(db: DbReader, ids: number[], list: (db: DbReader, ids: number[]) => PromiseLike<T[]>) {
  const rows: T[] = []
  for (let first = 0; first < ids.length; first += MAX_IDS) rows.push(...(await list(db, ids.slice(first, first + MAX_IDS))))
  return rows
}

/** Shows the domain of an address and how it begins. */
export const shortenAddress = (address: string) => address.replace(/^(.).*(?=@)/u, '$1…')

/** Firings per transaction, which blocks other writers for some milliseconds. */
const AT_ONCE = 5000

/**
 * Stores the final states of notices in their firings, before the outboxes forget them; addresses only in their short form. What still
 * waits keeps its reference, because outboxes forget nothing that waits. Later runs continue.
 */
export async function settleNotices(tx: Tx, until: Date) {
  const open = await listOpenFirings(tx, until, AT_ONCE)
  const lines = open.map(({ notices }) => notices ?? [])
  const resolved = await resolveNotices(tx, lines, { isSettled: false })
  for (const [index, { id }] of open.entries())
    await closeFiring(
      tx,
      id,
      lines[index]!.map((line, nth) => settleLine(line, resolved[index]![nth]!)),
    )
}

function settleLine(line: NoticeLine, { ref: _, held: __, to, ...final }: ResolvedLine): NoticeLine {
  if (final.state === 'waiting' || final.state === 'held') return line
  if (to === undefined) return final
  return { ...final, to: line.way === 'email' ? shortenAddress(to) : to }
}
