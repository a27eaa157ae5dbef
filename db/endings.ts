import { createHash } from 'node:crypto'
import { inArray } from 'drizzle-orm'
import { type EndingKind, endings } from '#db/schema/security.ts'
import type { Tx } from './db.ts'

/** SHA-256 of values that no other row ever has, so that the list says nothing about people. */
export const hashEnding = (kind: EndingKind, name: string) => createHash('sha256').update(`${kind}:${name}`).digest('hex')

/** Ids are reused after a restore, so the name of a row also contains the instant of its creation. */
export const nameOfRow = ({ id, createdAt }: { id: number; createdAt: Date }) => `${id}:${createdAt.toISOString()}`

export const nameOfContact = ({ id, accountId, email }: { id: number; accountId: number; email: string }) => `${id}:${accountId}:${email}`

/** Names an opt-out of alert mails for an address: the `nth`, because the person may have opted in again between two of them. */
export const nameOfStop = ({ accountId, email }: { accountId: number; email: string }, nth: number) => `${accountId}:${email}:${nth}`

/** The number of opt-outs of an address on the list. */
export const MAX_STOPS = 20

/** Names a password by its hash, which is unique except in test data. */
export const nameOfPassword = (user: { id: number; createdAt: Date; passwordHash: string }) => `${nameOfRow(user)}:${user.passwordHash}`

/** Below the number of parameters that a database accepts in one statement. */
const ROWS_AT_ONCE = 500

/** Adds things that end in this transaction to the list that outlives the database. */
export async function recordEndings(tx: Tx, kind: EndingKind, names: readonly string[]) {
  for (let from = 0; from < names.length; from += ROWS_AT_ONCE) {
    const rows = names.slice(from, from + ROWS_AT_ONCE).map((name) => ({ kind, hash: hashEnding(kind, name) }))
    await tx.insert(endings).values(rows).onConflictDoNothing()
  }
}

/** Adds the opt-out of an address under the first unused name. */
export async function recordStop(tx: Tx, address: { accountId: number; email: string }) {
  const names = Array.from({ length: MAX_STOPS }, (_, nth) => nameOfStop(address, nth))
  const hashes = names.map((name) => hashEnding('mail_stop', name))
  const earlier = await tx.$count(endings, inArray(endings.hash, hashes))
  await recordEndings(tx, 'mail_stop', names.slice(earlier, earlier + 1))
}
