import { type myData as contract, DATA_COPY, type DataCopy } from '#contracts/accounts/my-data.ts'
import { formatInstant, HOUR_MS } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import { countAttempt } from '#server/http/access/limits.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { type PackedFile, writeZip } from '#server/lib/zip.ts'
import type { World } from '#server/ports/world.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { collectRecords } from './make-copy.ts'
import { type CopyRow, findFile, findReadyCopy, insertCopy, insertFile, listCopies, listFileNames, removeCopies } from './my-data.store.ts'

export const myData: Handlers<typeof contract> = {
  list: async (_, { db, clock, viewer }) => (await listCopies(db.read, viewer.userId, clock.now())).map(presentCopy),

  async create(_, context) {
    const { db, clock, viewer } = context
    const { userId } = viewer
    const now = clock.now()
    if (await isRunning()) throw new Failure('export_running')
    const records = await collectRecords(context)
    return db.write([`account:${viewer.accountId}`], async (tx) => {
      if (await isRunning(tx)) throw new Failure('export_running')
      await countAttempt(tx, `data copy ${userId}`, { max: DATA_COPY.perDay, windowMinutes: 24 * 60 }, now)
      await removeCopies(tx, userId)
      const copy = await insertCopy(tx, { userId, createdAt: now, endsAt: new Date(now.getTime() + DATA_COPY.hours * HOUR_MS) })
      for (const file of records) await insertFile(tx, copy.id, file)
      await recordEvent(tx, context, { kind: 'data_copied', userId })
      return presentCopy(copy)
    })

    async function isRunning(reader: DbReader = db.read) {
      return (await listCopies(reader, userId, now)).some(({ readyAt }) => readyAt === null)
    }
  },

  async file({ params }, { db, clock, viewer }) {
    const copy = await findReadyCopy(db.read, { userId: viewer.userId, id: params.id }, clock.now())
    if (!copy) throw new Failure('not_found')
    const filename = `my-data-${copy.createdAt.toISOString().slice(0, 10)}.zip`
    return { filename, content: writeZip(readFiles(db, copy.id)) }
  },
}

async function* readFiles(db: World['db'], copyId: number): AsyncGenerator<PackedFile> {
  for (const name of await listFileNames(db.long.read, copyId)) {
    const file = await findFile(db.long.read, copyId, name)
    if (file) yield file
  }
}

const presentCopy = ({ id, createdAt, readyAt, endsAt, size }: CopyRow): DataCopy => ({
  id,
  state: readyAt ? 'ready' : 'running',
  created: formatInstant(createdAt),
  until: readyAt && formatInstant(endsAt),
  bytes: size,
})
