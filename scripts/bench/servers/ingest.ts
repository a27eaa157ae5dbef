import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { positions } from '#contracts/positions.ts'
import { findNoAddress } from '#db/addresses.ts'
import { openSqlite } from '#db/sqlite/open.ts'
import { templateFile } from '#scripts/test-setup/template-file.ts'
import { buildApp } from '#server/app.ts'
import { serve } from '#server/http/serve.ts'
import { systemIds } from '#server/ports/ids.ts'
import { createLive } from '#server/ports/live.ts'
import { createPayments } from '#server/ports/payments.ts'
import type { World } from '#server/ports/world.ts'
import { ANCHOR } from '#server/test/test-files.ts'
import { ingest } from '#server/tracking/ingest/ingest.ts'
import { FIRST_IDENTIFIER, REPORTING } from './ingest-data.ts'

/** Variants of ingest: as in production, and with less or more work per message. */
export type IngestAddress = {
  pid: number
  /** Commits in groups, synchronous = FULL. */
  ours: string
  /** Parses, authenticates and validates; stores nothing. */
  parseOnly: string
  /** Does the same work as `ours`, with a transaction per message. */
  each: string
}

const FIRST_ID = 3_000_000
const silent = { info() {}, warn() {}, error() {} }

function openWorld(): World {
  const file = path.join(process.argv[2]!, 'ingest.db')
  copyFileSync(templateFile(), file)
  const db = openSqlite(file, { synchronous: 'FULL' })
  const columns = db.raw.prepare(`select name from pragma_table_info('devices')`).pluck().all() as string[]
  const changes: Record<string, string> = {
    id: `${FIRST_ID} + n`,
    tag_id: 'null',
    identifier: `cast(${FIRST_IDENTIFIER} + n as text)`,
    serial: `'BENCH' || (1000000 + n)`,
    // The subscription of the copied tracker may be over: then the tracker rests.
    sub_state: `'active'`,
    sub_end_date: 'null',
    position_at: 'null',
    stationary_since: 'null',
  }
  db.raw.exec(`
    with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${REPORTING - 1})
    insert into devices (${columns.join(', ')}) select ${columns.map((name) => changes[name] ?? name).join(', ')} from devices, numbers where id = 1`)
  return {
    id: 'main',
    db,
    positions: db.positions,
    clock: { now: () => ANCHOR },
    ids: systemIds,
    payments: createPayments({ secretKey: 'sk_test_bench', publicKey: 'pk_test_bench', webhookSecret: 'whsec_bench' }),
    geocode: { search: () => [], nearest: findNoAddress },
    live: createLive(db),
    log: silent,
    origin: 'http://portal.test',
    productName: 'Whereabouts',
    limits: { credentials: true },
    graceDays: 14,
    moveLimits: { perYear: 1, days: 30 },
    pauseLimits: { perYear: 1, days: 90 },
    secondFactor: { key: new Uint8Array(32), isRequired: false },
    claims: { isStockOnly: false, phoneMonths: 0 },
  }
}

const routes = {
  parseOnly: { ...positions.ingest, path: '/bench/parse/' },
  each: { ...positions.ingest, path: '/bench/each/' },
} as const

async function listen(world: World) {
  const app = await buildApp({
    worlds: { of: () => world },
    extend: async (server) =>
      serve(server, routes, {
        parseOnly: ({ body }) => ({ accepted: body.positions.length, ignored: 0 }),
        // A group belongs to a database object, so each message gets its own.
        each: ({ body }, context) => ingest({ ...context, db: { ...context.db } }, body, context.deviceKey.deviceId),
      }),
  })
  return app.listen({ host: '127.0.0.1', port: 0 })
}

const origin = await listen(openWorld())
process.send?.({
  pid: process.pid,
  ours: `${origin}/devices/ingest/`,
  parseOnly: `${origin}${routes.parseOnly.path}`,
  each: `${origin}${routes.each.path}`,
} satisfies IngestAddress)
