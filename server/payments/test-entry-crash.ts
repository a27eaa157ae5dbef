import { type Db, openDb } from '#db/open.ts'
import { createPayments } from '#server/lib/payments.ts'
import { ANCHOR } from '#server/mock/test-files.ts'
import { workInbox } from './work-inbox.ts'

/** Works the inbox of a file against a provider at a port, and is killed within the transaction after `commits` others. */
const [file = '', port = '', commits = ''] = process.argv.slice(2)
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
const toPort: typeof fetch = (input, init) => {
  const { pathname, search } = new URL(String(input))
  return fetch(`http://127.0.0.1:${port}${pathname}${search}`, init)
}
const payments = createPayments({ secretKey: 'sk_test_whereabouts', publicKey: '', webhookSecret: '', fetch: toPort })
const log = { info() {}, warn() {}, error: (data: object) => void process.stderr.write(`${JSON.stringify(data)}\n`) }
await workInbox({ db: deadly, clock: { now: () => ANCHOR }, payments, log })
db.close()
