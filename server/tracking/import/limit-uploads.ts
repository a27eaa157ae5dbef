import { IMPORTS } from '#contracts/lib/constants.ts'
import type { Db } from '#db/db.ts'
import { Failure } from '#server/lib/errors.ts'

/** Files that are being read, by account. */
const uploads = new WeakMap<Db, Map<number | null, number>>()

/** A file of the largest size takes about as long. */
const RETRY_AFTER_SECONDS = 30

/** Reads a file unless the account has `IMPORTS.atOnce` others being read. */
export async function limitUploads<T>(db: Db, accountId: number | null, read: () => Promise<T>): Promise<T> {
  const counts = uploads.get(db) ?? new Map<number | null, number>()
  uploads.set(db, counts)
  const count = counts.get(accountId) ?? 0
  if (count >= IMPORTS.atOnce) throw refuseUpload()
  counts.set(accountId, count + 1)
  try {
    return await read()
  } finally {
    const left = (counts.get(accountId) ?? 1) - 1
    if (left > 0) counts.set(accountId, left)
    else counts.delete(accountId)
  }
}

function refuseUpload() {
  const failure = new Failure('too_many_imports')
  failure.retryAfter = RETRY_AFTER_SECONDS
  return failure
}
