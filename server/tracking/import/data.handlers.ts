import type { data as contract, Import, ImportProblem } from '#contracts/data.ts'
import { UPLOAD_FIELD } from '#contracts/lib/route.ts'
import { IMPORTS } from '#contracts/limits/upload-limits.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { fromFixed7 } from '#db/positions.ts'
import { getOwnedDevice } from '#server/http/access/owned-device.ts'
import type { Download, Handlers } from '#server/http/serve.ts'
import { type SpooledFile, withSpooled } from '#server/http/spool.ts'
import { Failure } from '#server/lib/errors.ts'
import { countBytes, countUpload } from '#server/lib/limits/daily-uploads.ts'
import { runInWorker } from '#server/lib/workers/run-in-worker.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { exportHistory } from '#server/tracking/export/export.ts'
import { openHistory, resolvePeriod } from '#server/tracking/history/history.ts'
import { type FixColumns, readValue } from '#server/tracking/import/formats/fixes.ts'
import type { readPositions } from '#server/tracking/import/formats/read-file.ts'
import { findImport, type ImportRow, insertPreview, listImports, packBlocks, saveNextBlocks, undoImport } from './imports.store.ts'

export const data: Handlers<typeof contract> = {
  async export({ params, query }, context): Promise<Download> {
    const device = await getOwnedDevice(context, params.id)
    return exportHistory(openHistory(context, device), device, resolvePeriod(query, context.clock.now()), query.format)
  },

  async list({ params }, context) {
    const { id } = await getOwnedDevice(context, params.id)
    return (await listImports(context.db.read, id)).map(presentImport)
  },

  async create({ params, query, body }, context) {
    const { id } = await getOwnedDevice(context, params.id)
    await countUpload(context, 'imports')
    return withSpooled(body, async (file) => {
      await countBytes(context, 'imports', file.size)
      return previewFile(context, { deviceId: id, filename: query.filename ?? '' }, file)
    })
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

async function previewFile({ db, clock }: ViewerContext, of: { deviceId: number; filename: string }, { fd }: SpooledFile) {
  const now = clock.now()
  const read = await runInWorker<typeof readPositions>('positions', fd, now)
  const { errors, skipped, damage, unused, format, columns, rows } = read
  if (rows.length === 0) {
    const problem: ImportProblem = errors.every(({ reason }) => reason === 'no_time') ? 'empty' : 'all_skipped'
    throw new Failure('validation_error', { errors: { [UPLOAD_FIELD]: [problem] }, skipped, lines: errors, damage, unused })
  }
  const at = (row: number) => new Date(columns.times[row]! * 1000)
  const facts = { ...of, format, count: rows.length, createdAt: now, firstAt: at(rows[0]!), lastAt: at(rows.at(-1)!) }
  const added = await insertPreview(db, facts, packBlocks(columns, rows))
  return { ...presentImport(added), repeated: read.count - rows.length, skipped, errors, damage, unused, track: selectTrack(columns, rows) }
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
function selectTrack(columns: FixColumns, rows: Uint32Array) {
  const step = Math.ceil(rows.length / IMPORTS.track)
  const selected = rows.filter((_, index) => index % step === 0 || index === rows.length - 1)
  return Array.from(selected, (row) => ({
    lat: fromFixed7(readValue(columns, 'lat', row) ?? 0),
    lng: fromFixed7(readValue(columns, 'lng', row) ?? 0),
  }))
}
