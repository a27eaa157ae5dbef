import { createDeadlyDb, quietLog as log, openAddress } from './test-deadly.ts'
import { ANCHOR } from './test-files.ts'

/** Drains the payment inbox of a database against Stripe at a port, and is killed within the transaction after `commits` others. */
const [address = '', port = '', commits = ''] = process.argv.slice(2)
const db = await openAddress(address)
const { processInbox } = await import('#server/billing/sync/webhook.ts')
const { createPayments } = await import('#server/ports/payments.ts')
const toPort: typeof fetch = (input, init) => {
  const { pathname, search } = new URL(String(input))
  return fetch(`http://127.0.0.1:${port}${pathname}${search}`, init)
}
const payments = createPayments({ secretKey: 'sk_test_whereabouts', publicKey: '', webhookSecret: '', fetch: toPort })
await processInbox({ db: createDeadlyDb(db, Number(commits)), clock: { now: () => ANCHOR }, payments, log })
await db.close()
