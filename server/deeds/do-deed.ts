import type { DeedKind } from '#contracts/operator/deeds.ts'
import type { DbReader, Lock, LockFinder, LockKey, Tx } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Actor, StaffContext } from '#server/ports/world.ts'
import { findRepeated, insertDeed } from './deeds.store.ts'

/** What a deed needs; the operator's program has no request. */
export type DeedPorts = Pick<StaffContext, 'db' | 'clock' | 'actor' | 'repeat'>

/** The operator's program, which works for whoever can start it. */
export const PROGRAM: Actor = { id: 'program', who: 'operator.js', role: 'admin', staffId: null }

export type Deed = {
  kind: DeedKind
  /** What it was done to, as people know it. */
  subject: string
  /** The account that it concerns. */
  accountId?: number
  detail?: Record<string, string | number | null>
}

/**
 * `secret` is left out of the stored response: a repeat does not get it again. `alike` are further entries of the log, when one request does
 * the same to many.
 */
export type Done<T> = { deed: Deed; alike?: readonly Deed[]; response: T; secret?: keyof T }

/**
 * Runs a deed and writes it to the log in the same transaction. A repeat with the same `Idempotency-Key` changes nothing and gets the same
 * response. Throws `key_used_elsewhere` when the key belongs to another request.
 */
export function doDeed<T>(
  { db, clock, actor, repeat }: DeedPorts,
  lock: Lock | LockFinder,
  work: (tx: Tx) => Promise<Done<T>>,
): Promise<T> {
  return writeDevices(db, addRepeatLock(lock, actor, repeat?.key), async (tx) => {
    const done = await findDoneOn<T>(tx, actor, repeat)
    if (done) return done
    const { deed, alike = [], response, secret } = await work(tx)
    const stored = secret === undefined ? response : { ...response, [secret]: '' }
    const entry = { at: clock.now(), actor: actor.id, who: actor.who }
    await insertDeed(tx, {
      ...{ ...entry, ...rowOf(deed) },
      ...{ repeatKey: repeat?.key ?? null, requestHash: repeat?.requestHash ?? null, response: repeat ? stored : null },
    })
    for (const each of alike) await insertDeed(tx, { ...entry, ...rowOf(each), repeatKey: null, requestHash: null, response: null })
    return response
  })
}

const rowOf = ({ kind, subject, accountId, detail = {} }: Deed) => ({ kind, subject, accountId: accountId ?? null, detail })

/**
 * The response of a deed that was done with the same `Idempotency-Key`, for work outside the database that precedes a deed; undefined for a
 * new one. Throws `key_used_elsewhere`.
 */
export const findDone = <T>({ db, actor, repeat }: DeedPorts) => findDoneOn<T>(db.read, actor, repeat)

async function findDoneOn<T>(db: DbReader, { id }: Actor, repeat: DeedPorts['repeat']): Promise<T | undefined> {
  const done = repeat && (await findRepeated(db, id, repeat.key))
  if (done && done.requestHash !== repeat.requestHash) throw new Failure('key_used_elsewhere')
  return done?.response as T | undefined
}

function addRepeatLock(lock: Lock | LockFinder, { id }: Actor, key: string | undefined) {
  if (key === undefined || lock === 'everything') return lock
  const ofRepeat: LockKey = `deed:${id} ${key}`
  return typeof lock === 'function' ? async (db: Parameters<LockFinder>[0]) => [...(await lock(db)), ofRepeat] : [...lock, ofRepeat]
}
