import type { Db } from '#db/sqlite/open.ts'

/** A database whose process is killed within a transaction, after `commits` others. */
export function deadly(db: Db, commits: number): Db {
  let left = commits
  return {
    ...db,
    write: (work) =>
      db.write(async (tx) => {
        const result = await work(tx)
        if (left-- === 0) process.kill(process.pid, 'SIGKILL')
        return result
      }),
  }
}

/** For a process whose output is read: only what failed is told. */
export const quietLog = { info() {}, warn() {}, error: (data: object) => void process.stderr.write(`${JSON.stringify(data)}\n`) }
