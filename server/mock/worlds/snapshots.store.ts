import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { formatInstant } from '#contracts/rules/time.ts'
import { openSqlite } from '#db/sqlite/open.ts'
import { Failure } from '#server/lib/errors.ts'
import { readSeed } from '#server/mock/seed/read-seed.ts'
import type { MockWorld } from './world.ts'

const SUFFIX = '.db'

export type Snapshots = ReturnType<typeof createSnapshotStore>

export function createSnapshotStore(dir: string) {
  const fileOf = (name: string) => path.join(dir, `${name}${SUFFIX}`)

  const has = (name: string) => existsSync(fileOf(name))

  /** Throws `not_found`. */
  function find(name: string) {
    if (!has(name)) throw new Failure('not_found')
    return { file: fileOf(name) }
  }

  async function read(name: string) {
    const { file } = find(name)
    return { name, bytes: statSync(file).size, ...(await describeSnapshot(readFileSync(file))) }
  }

  return {
    has,
    find,
    read,
    list: () => Promise.all(listNames(dir).map(read)),
    bytes: (name: string) => readFileSync(find(name).file),
    save(name: string, bytes: Uint8Array) {
      mkdirSync(dir, { recursive: true })
      const part = `${fileOf(name)}.part`
      writeFileSync(part, bytes)
      renameSync(part, fileOf(name))
      return read(name)
    },
    remove: (name: string) => rmSync(find(name).file),
  }
}

/** Oldest first. */
function listNames(dir: string) {
  if (!existsSync(dir)) return []
  const changed = (name: string) => statSync(path.join(dir, `${name}${SUFFIX}`)).mtimeMs
  const names = readdirSync(dir).flatMap((file) => (file.endsWith(SUFFIX) ? [file.slice(0, -SUFFIX.length)] : []))
  return names.sort((a, b) => changed(a) - changed(b) || a.localeCompare(b))
}

/** Reads the contents of a snapshot. Throws when the file is not a snapshot of a world. */
export async function describeSnapshot(bytes: Buffer) {
  const db = openSqlite(bytes)
  try {
    const { seed, scenario, clock } = await readSeed(db.read)
    if (!clock) throw new Error('This file is a database, but no snapshot.')
    const { at, ...pace } = clock
    return { seed, scenario, clock: { now: formatInstant(new Date(at)), ...pace } }
  } finally {
    db.close()
  }
}

/** Header bytes of a database with a write-ahead log, which a database in memory does not have. */
const JOURNAL_VERSION_OFFSETS = [18, 19]

/** Serializes a world into one file: its database with the state of its clock and the number of ids drawn. */
export async function serializeWorld({ db, clock, ids }: Pick<MockWorld, 'db' | 'clock' | 'ids'>): Promise<Buffer> {
  const bytes = await db.write('everything', async () => db.raw.serialize())
  for (const offset of JOURNAL_VERSION_OFFSETS) bytes[offset] = 1
  const copy = openSqlite(bytes)
  const { now, ...pace } = clock.state()
  const clockState = JSON.stringify({ ...pace, at: now.toISOString() })
  copy.raw.prepare('update seeds set clock = ?, ids = ?').run(clockState, ids.count?.() ?? null)
  const whole = copy.raw.serialize()
  copy.close()
  return whole
}
