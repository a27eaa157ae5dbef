import { UPLOADS_A_DAY } from '#contracts/limits/upload-limits.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import type { Db, Tx } from '#db/db.ts'
import type { Viewer } from '#db/scope.ts'
import { readTries, setTries } from '#db/throttle.ts'
import { Failure } from '#server/lib/errors.ts'

export type UploadKind = keyof typeof UPLOADS_A_DAY

type Context = { db: Db; clock: { now(): Date }; viewer: Viewer }

/**
 * Counts a file of a kind, before it is read, for the account or for one of its trackers. Throws `upload_limit` when the files or megabytes
 * of a day are used up, with the end of that day. The day begins with its first file.
 */
export async function countUpload(context: Context, kind: UploadKind, trackerId?: number) {
  const { files, megabytes } = UPLOADS_A_DAY[kind]
  const now = context.clock.now()
  await context.db.write([`account:${context.viewer.accountId}`], async (tx) => {
    const [sent, volume] = [await readTries(tx, keyOf(context, kind, trackerId), now), await readTries(tx, volumeKey(context, kind), now)]
    if (volume && volume.count >= megabytes * KB_PER_MB) throw refuseUpload(kind, volume.resetsAt, now)
    if (sent && sent.count >= files) throw refuseUpload(kind, sent.resetsAt, now)
    await add(tx, keyOf(context, kind, trackerId), 1, now)
  })
}

/** Adds the size of a received file to the megabytes of the day. */
export async function countBytes(context: Context, kind: UploadKind, bytes: number) {
  const now = context.clock.now()
  await context.db.write([`account:${context.viewer.accountId}`], (tx) =>
    add(tx, volumeKey(context, kind), Math.ceil(bytes / BYTES_PER_KB), now),
  )
}

const BYTES_PER_KB = 1024
const KB_PER_MB = 1024

const keyOf = ({ viewer }: Context, kind: UploadKind, trackerId: number | undefined) =>
  trackerId === undefined ? `uploads ${kind} ${viewer.accountId}` : `uploads ${kind} of tracker ${trackerId}`

const volumeKey = ({ viewer }: Context, kind: UploadKind) => `uploaded ${kind} ${viewer.accountId}`

async function add(tx: Tx, key: string, added: number, now: Date) {
  const tries = await readTries(tx, key, now)
  await setTries(tx, { key, count: (tries?.count ?? 0) + added, resetsAt: tries?.resetsAt ?? new Date(now.getTime() + DAY_MS) })
}

function refuseUpload(kind: UploadKind, until: Date, now: Date) {
  const { files, megabytes } = UPLOADS_A_DAY[kind]
  const failure = new Failure('upload_limit', { of: kind, files, megabytes })
  failure.retryAfter = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  return failure
}
