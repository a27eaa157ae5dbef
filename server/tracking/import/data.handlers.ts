import type { data as contract, Import } from '#contracts/data.ts'
import { IMPORTS } from '#contracts/lib/constants.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Db } from '#db/db.ts'
import { fromFixed7 } from '#db/positions.ts'
import { getOwnedDevice } from '#server/devices/device.ts'
import type { Download, Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { exportHistory } from '#server/tracking/export/export.ts'
import { openHistory, resolvePeriod } from '#server/tracking/history/history.ts'
import { packBlocks } from './blocks.ts'
import type { createFixes } from './fixes.ts'
import { findImport, type ImportRow, insertPreview, listImports, saveNextBlocks, undoImport } from './imports.store.ts'
import { orderByTime } from './order.ts'
import { readFile } from './read-file.ts'

export const data: Handlers<typeof contract> = {
  async export({ params, query }, context): Promise<Download> {
    const device = await getOwnedDevice(context, params.id)
    return exportHistory(openHistory(context), device, resolvePeriod(query, context.clock.now()), query.format)
  },

  async list({ params }, context) {
    const { id } = await getOwnedDevice(context, params.id)
    return (await listImports(context.db.read, id)).map(presentImport)
  },

  async create({ params, query, body }, context) {
    const { id, accountId } = await getOwnedDevice(context, params.id)
    return limitUploads(context.db, accountId, () => previewFile(context, { deviceId: id, filename: query.filename ?? '' }, body))
  },

  async commit({ params }, context) {
    const row = await saveNextBlocks(context.db, context.positions, await getImport(context, params), context.clock.now())
    if (!row) throw new Failure('not_found')
    return presentImport(row)
  },

  async undo({ params }, context) {
    const found = await getImport(context, params)
    await undoImport(context.db, context.positions, found)
    return { id: found.id }
  },
}

async function previewFile({ db, clock }: ViewerContext, of: { deviceId: number; filename: string }, bytes: AsyncIterable<Uint8Array>) {
  const now = clock.now()
  const { fixes, format } = await readFile(bytes, now)
  const times = fixes.times()
  const rows = await orderByTime(times)
  const { errors, skipped } = fixes
  if (rows.length === 0) throw new Failure('validation_error', { errors: { file: ['empty'] }, skipped, lines: errors })
  const at = (row: number) => new Date(times[row]! * 1000)
  const facts = { ...of, format, count: rows.length, createdAt: now, firstAt: at(rows[0]!), lastAt: at(rows.at(-1)!) }
  const added = await insertPreview(db, facts, packBlocks(fixes, rows))
  return { ...presentImport(added), repeated: times.length - rows.length, skipped, errors, track: selectTrack(fixes, rows) }
}

async function getImport(context: ViewerContext, params: { id: number; import: number }) {
  const { id } = await getOwnedDevice(context, params.id)
  const row = await findImport(context.db.read, id, params.import)
  if (!row) throw new Failure('not_found')
  return row
}

const presentImport = ({ id, filename, format, state, count, saved, added, firstAt, lastAt, createdAt }: ImportRow): Import => ({
  id,
  filename,
  format,
  state,
  count,
  saved,
  added,
  first: formatInstant(firstAt),
  last: formatInstant(lastAt),
  created: formatInstant(createdAt),
})

/** Every nth position, so that the line has at most `IMPORTS.track` points, and the last. */
function selectTrack(fixes: ReturnType<typeof createFixes>, rows: Uint32Array) {
  const step = Math.ceil(rows.length / IMPORTS.track)
  const selected = rows.filter((_, index) => index % step === 0 || index === rows.length - 1)
  return Array.from(selected, (row) => ({
    lat: fromFixed7(fixes.valueAt('lat', row) ?? 0),
    lng: fromFixed7(fixes.valueAt('lng', row) ?? 0),
  }))
}

/** Files that are being read, by account. */
const uploads = new WeakMap<Db, Map<number | null, number>>()

/** A file of the largest size takes about as long. */
const RETRY_AFTER_SECONDS = 30

/** Reads a file unless the account has `IMPORTS.atOnce` others being read. */
async function limitUploads<T>(db: Db, accountId: number | null, read: () => Promise<T>): Promise<T> {
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
