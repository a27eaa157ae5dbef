/** Puts what the price table sells into the catalogue of the Stripe account whose key is set; run it as often as you like. */
import path from 'node:path'
import { migrate, openDb } from '#db/open.ts'
import { fillPrices } from '#db/seed/prices.ts'
import { prices } from '#db/tables/commerce.ts'
import { readConfig } from '#server/config.ts'
import { DATABASE, prepareDataDir } from '#server/lib/files.ts'
import { createPayments } from '#server/lib/payments.ts'
import { syncCatalogue } from '#server/payments/sync-catalogue.ts'

const { DATA_DIR, STRIPE_SECRET_KEY: secretKey } = readConfig(process.env)
if (!secretKey) {
  console.error('Set STRIPE_SECRET_KEY to the secret key of your Stripe sandbox (sk_test_…). docs/stripe.md tells where it is.')
  process.exit(1)
}
prepareDataDir(DATA_DIR)
const db = openDb(path.join(DATA_DIR, DATABASE))
migrate(db)
await db.write(fillPrices)
const { stripe, isLive } = createPayments({ secretKey, publicKey: '', webhookSecret: '' })
const done = await syncCatalogue(stripe, await db.read.select().from(prices))
db.close()
for (const one of done) console.log(one)
console.log(`${isLive ? 'LIVE account' : 'Sandbox'}: ${done.length === 0 ? 'everything is as it should be' : `${done.length} changes`}.`)
