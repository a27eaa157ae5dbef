import { HOUR_MS } from '#contracts/rules/time.ts'
import type { DbReader, LockFinder, Tx } from '#db/db.ts'
import type { EmailKeyKind } from '#db/schema/accounts.ts'
import { userLock } from '#db/scope.ts'
import { Failure } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { World } from '#server/ports/world.ts'
import { expireKeys, findKey, findKeyByHash, insertKey, markKeyUsed } from './mail-keys.store.ts'

/** Lifetime of the keys in e-mails. */
export const EMAIL_KEY_HOURS = { confirm: 24, change: 24, reset: 1, invitation: 168, revert: 168 } as const
/** Confirmation e-mails per account and hour. */
export const CONFIRMATION_EMAILS_PER_HOUR = 5

type NewKey = {
  userId: number
  kind: EmailKeyKind
  email?: string
  /** The session that requested it. */
  session?: string
  /** Whether older keys of the kind expire; default true. */
  replacesOlder?: boolean
}

/** Creates a key for the link in a mail, with a limited lifetime. */
export async function issueKey(
  tx: Tx,
  { clock, ids }: Pick<World, 'clock' | 'ids'>,
  { userId, kind, email, session, replacesOlder = true }: NewKey,
) {
  const now = clock.now()
  const key = ids.token()
  if (replacesOlder) await expireKeys(tx, userId, [kind], now)
  const expiresAt = new Date(now.getTime() + EMAIL_KEY_HOURS[kind] * HOUR_MS)
  await insertKey(tx, { hash: sha256(key), userId, kind, email: email ?? null, session: session ?? null, expiresAt })
  return key
}

/** The row of a key, used or expired ones included. Throws `invalid_key`. */
export async function getKey(db: DbReader, key: string, kinds: EmailKeyKind[]) {
  const row = await findKey(db, sha256(key), kinds)
  if (!row) throw new Failure('invalid_key')
  return row
}

/** The row of a valid key. Throws `invalid_key`, or `expired` when it is used or too old. */
export async function getValidKey(db: DbReader, key: string, kinds: EmailKeyKind[], now: Date) {
  const row = await getKey(db, key, kinds)
  if (row.usedAt || row.expiresAt <= now) throw new Failure('expired')
  return row
}

/** Locks the account of the user to whom a key was mailed, and the address that the key assigns to the user. */
export const keyLock =
  (key: string): LockFinder =>
  async (db) => {
    const row = await findKeyByHash(db, sha256(key))
    return row ? [...(await userLock(row.userId)(db)), ...(row.email === null ? [] : [`login:${row.email}` as const])] : []
  }

export async function consumeKey(tx: Tx, key: string, kinds: EmailKeyKind[], now: Date) {
  const row = await getValidKey(tx, key, kinds, now)
  await markKeyUsed(tx, row.hash, now)
  return row
}
