import type { Db } from '#db/db.ts'

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
