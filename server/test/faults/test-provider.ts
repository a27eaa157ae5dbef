import { loadFromDatabase } from '#server/mock/payments/load-from-database.ts'
import { createStripeFake, SECRET_KEY } from '#server/mock/stripe/index.ts'
import { systemClock } from '#server/ports/clock.ts'
import { systemIds } from '#server/ports/ids.ts'
import { openTestDb } from '#server/test/test-database.ts'
import { serveProvider } from '#server/test/test-payments-world.ts'

/** The card provider on a port of this machine, with the customers of the seeds. */
export async function startProvider() {
  const db = await openTestDb('family')
  const ports = { clock: systemClock, ids: systemIds, origin: 'http://portal.test' }
  const fake = createStripeFake(ports, (provider) => loadFromDatabase(provider, db.read))
  const { port, close } = await serveProvider(fake)
  const divert = `const send = globalThis.fetch
    globalThis.fetch = (to, init) => send(String(to).replace('https://api.stripe.com', 'http://127.0.0.1:${port}'), init)`
  return {
    fake,
    env: {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: fake.payments.webhookSecret,
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(divert)}`,
    },
    countCharges: async () => (await fake.payments.stripe.charges.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 })).length,
    [Symbol.dispose]() {
      close()
      void db.close()
    },
  }
}
