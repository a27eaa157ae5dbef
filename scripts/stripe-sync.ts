/** Copies the price table into the catalogue of the Stripe account; safe to repeat. */
import path from 'node:path'
import { prices } from '#db/schema/commerce.ts'
import { migrate, openSqlite } from '#db/sqlite/open.ts'
import { syncCatalogue } from '#server/billing/sync/sync-catalogue.ts'
import { readConfig } from '#server/config.ts'
import { DATABASE_FILENAME, ensureDataDir } from '#server/http/process.ts'
import { ensurePrices } from '#server/mock/seed/records/prices.ts'
import { createPayments } from '#server/ports/payments.ts'

const { DATA_DIR, STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: apiUrl } = readConfig(process.env)
if (!secretKey) {
  console.error('Set STRIPE_SECRET_KEY to the secret key of your Stripe sandbox (sk_test_…). docs/stripe.md shows where to find it.')
  process.exit(1)
}
ensureDataDir(DATA_DIR)
const db = openSqlite(path.join(DATA_DIR, DATABASE_FILENAME))
migrate(db)
await db.write('everything', ensurePrices)
const { stripe, isLive } = createPayments({ secretKey, publicKey: '', webhookSecret: '', apiUrl })
const done = await syncCatalogue(stripe, await db.read.select().from(prices))
db.close()
for (const one of done) console.log(one)
console.log(`${isLive ? 'LIVE account' : 'Sandbox'}: ${done.length === 0 ? 'up to date' : `${done.length} changes`}.`)
