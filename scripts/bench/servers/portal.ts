import { copyFileSync } from 'node:fs'
import path from 'node:path'
import type { LiveEvent } from '#db/db.ts'
import { openSqlite, type SqliteDb } from '#db/sqlite/open.ts'
import type { PortalAddress } from '#scripts/bench/lab.ts'
import { templateFile } from '#scripts/test-setup/template-file.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { buildApp } from '#server/app.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { systemIds } from '#server/ports/ids.ts'
import { createLive } from '#server/ports/live.ts'
import { createPayments } from '#server/ports/payments.ts'
import type { World } from '#server/ports/world.ts'
import { ANCHOR } from '#server/test/test-files.ts'
import { addFleets, addMonth, addPair, MONTH_DEVICE } from './bench-data.ts'
import type { Publish } from './sockets.ts'

/** A request with this header finds one tracker of the account changed. */
const CHANGED = 'x-bench-changed'

/** The server as in production, with a copy of the seeded database, more trackers and a longer history. */
const file = path.join(process.argv[2]!, 'portal.db')
copyFileSync(templateFile(), file)
const db = openSqlite(file, { synchronous: 'FULL' })
const fleets = addFleets(db)
addMonth(db)
addPair(db)

/** Gives an event to the streams as if a transaction had committed it. */
let publish = (_event: LiveEvent) => {}
const silent = { info() {}, warn() {}, error() {} }
const world: World & { db: SqliteDb } = {
  id: 'main',
  db,
  positions: db.positions,
  clock: { now: () => ANCHOR },
  ids: systemIds,
  payments: createPayments({ secretKey: 'sk_test_bench', publicKey: 'pk_test_bench', webhookSecret: 'whsec_bench' }),
  geocode: await openTestCity(),
  live: createLive({
    onEvent(hear) {
      publish = hear
      return () => {}
    },
  }),
  log: silent,
  origin: 'http://portal.test',
  productName: 'Whereabouts',
  limits: { credentials: true },
  graceDays: 14,
  asksContacts: false,
  moveLimits: { perYear: 1, days: 30 },
  pauseLimits: { perYear: 1, days: 90 },
  secondFactor: { key: new Uint8Array(32), isRequired: false },
  claims: { isStockOnly: false, phoneMonths: 0 },
}
const app = await buildApp({
  worlds: { of: () => world },
  extend: async (server) => {
    server.addHook('onRequest', (request, _, done) => {
      const changed = request.headers[CHANGED]
      if (typeof changed === 'string') {
        const [id, accountId] = changed.split(':').map(Number)
        db.changes.mark([{ id: id!, accountId: accountId! }])
      }
      done()
    })
  },
})

// Counting requests is part of their cost; a rejection would measure something else.
Object.assign(world.live, { countStreams: () => 0, countStreamsOf: () => 0 })
const countSessionCall = app.countSessionCall!
app.countSessionCall = async (request) => ({ ...(await countSessionCall(request)), isAllowed: true, key: '' })

const family = db.raw.prepare('select account_id from devices where id = ?').pluck().get(MONTH_DEVICE) as number
let published = 0
/** Publishes events about the tracker with a month of history, `together` in each turn of the event loop. */
process.on('message', ({ events, together, data }: Publish) => {
  let left = events
  const publishSome = () => {
    for (let n = 0; n < together && left > 0; n++, left--)
      publish({ id: 1_000_000 + published++, accountId: family, deviceId: MONTH_DEVICE, type: 'position', data })
    if (left > 0) setImmediate(publishSome)
  }
  publishSome()
})

process.send?.({
  url: await app.listen({ host: '127.0.0.1', port: 0 }),
  pid: process.pid,
  token: await signInAs(world, 'alice@example.com'),
  fleets: Object.fromEntries(
    await Promise.all(fleets.map(async ({ size, email }) => [size, await signInAs(world, email)])),
  ) as PortalAddress['fleets'],
} satisfies PortalAddress)
