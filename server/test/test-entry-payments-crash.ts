import { openSqlite } from '#db/sqlite/open.ts'
import { processInbox } from '#server/billing/sync/work-inbox.ts'
import { createPayments } from '#server/ports/payments.ts'
import { createDeadlyDb, quietLog as log } from './test-deadly.ts'
import { ANCHOR } from './test-files.ts'

/** Works the payment inbox of a database file against Stripe at a port, and is killed within the transaction after `commits` others. */
const [file = '', port = '', commits = ''] = process.argv.slice(2)
const db = openSqlite(file)
const toPort: typeof fetch = (input, init) => {
  const { pathname, search } = new URL(String(input))
  return fetch(`http://127.0.0.1:${port}${pathname}${search}`, init)
}
const payments = createPayments({ secretKey: 'sk_test_whereabouts', publicKey: '', webhookSecret: '', fetch: toPort })
await processInbox({ db: createDeadlyDb(db, Number(commits)), clock: { now: () => ANCHOR }, payments, log })
db.close()
