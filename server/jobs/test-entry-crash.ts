import { type Db, openDb } from '#db/open.ts'
import { createLive } from '#server/lib/live.ts'
import { ANCHOR } from '#server/mock/test-files.ts'
import { runDue } from './run-due.ts'

/** Does what is due in the database of a file, and is killed within the transaction after `commits` others; says what it did. */
const [file = '', commits = '0'] = process.argv.slice(2)
const db = openDb(file)
let left = Number(commits)

const deadly: Db = {
  ...db,
  write: (work) =>
    db.write(async (tx) => {
      const result = await work(tx)
      if (left-- === 0) process.kill(process.pid, 'SIGKILL')
      return result
    }),
}
const log = { info() {}, warn() {}, error: (data: object) => void process.stderr.write(`${JSON.stringify(data)}\n`) }
const fired = await runDue({ db: deadly, live: createLive(), log }, ANCHOR)
process.stdout.write(`${fired.length}\n`)
db.close()
