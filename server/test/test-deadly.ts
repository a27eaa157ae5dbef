import type { Db } from '#db/db.ts'
import { chooseEngine } from '#db/schema/engine.ts'

/** Opens the database at an address of `openStored`, in a process that has loaded no table yet. */
export async function openAddress(address: string): Promise<Db> {
  const isUrl = address.startsWith('postgres')
  chooseEngine(isUrl ? address : undefined)
  return isUrl ? (await import('#db/postgres/open.ts')).openPostgres(address) : (await import('#db/sqlite/open.ts')).openSqlite(address)
}

/** A database that kills its process within a transaction, after `commits` others. */
export function createDeadlyDb(db: Db, commits: number): Db {
  let left = commits
  return {
    ...db,
    write: (lock, work) =>
      db.write(lock, async (tx) => {
        const result = await work(tx)
        if (left-- === 0) process.kill(process.pid, 'SIGKILL')
        return result
      }),
  }
}

/** For a process whose stdout is parsed: logs errors only, to stderr. */
export const quietLog = { info() {}, warn() {}, error: (data: object) => void process.stderr.write(`${JSON.stringify(data)}\n`) }
