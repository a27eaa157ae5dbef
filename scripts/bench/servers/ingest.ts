import { copyFileSync } from 'node:fs'
import path from 'node:path'
import type { AlertRule } from '#contracts/alerts.ts'
import { positions } from '#contracts/positions.ts'
import { findNoAddress } from '#db/addresses.ts'
import { places } from '#db/schema/places.ts'
import { openSqlite, type SqliteDb } from '#db/sqlite/open.ts'
import { templateFile } from '#scripts/test-setup/template-file.ts'
import { createAlert } from '#server/alerts/change-alerts.ts'
import { buildApp } from '#server/app.ts'
import { serve } from '#server/http/serve.ts'
import { systemIds } from '#server/ports/ids.ts'
import { createLive } from '#server/ports/live.ts'
import { createPayments } from '#server/ports/payments.ts'
import type { World } from '#server/ports/world.ts'
import { ANCHOR } from '#server/test/test-files.ts'
import { ingest } from '#server/tracking/ingest/ingest.ts'
import { FIRST_IDENTIFIER, REPORTING, WATCHES } from './ingest-data.ts'

/** Variants of ingest: as in production, and with less or more work per message. */
export type IngestAddress = {
  pid: number
  /** Commits in groups, synchronous = FULL. */
  ours: string
  /** Parses, authenticates and validates; stores nothing. */
  parseOnly: string
  /** Does the same work as `ours`, with a transaction per message. */
  each: string
  /** As `ours`, with 50 alerts for each tracker. */
  watched: string
}

const FIRST_ID = 3_000_000
const silent = { info() {}, warn() {}, error() {} }

function openWorld(name: string): World & { db: SqliteDb } {
  const file = path.join(process.argv[2]!, `${name}.db`)
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
    asksContacts: false,
    moveLimits: { perYear: 1, days: 30 },
    pauseLimits: { perYear: 1, days: 90 },
    secondFactor: { key: new Uint8Array(32), isRequired: false },
    claims: { isStockOnly: false, phoneMonths: 0 },
  }
}

/** Alerts of every kind. None of the places is where the trackers go, and none of the values is reached. */
const RULES: readonly (AlertRule | null)[] = [
  ...[null, null, null],
  ...([{ kind: 'speed', over: 250, seconds: 30 }, { kind: 'silent' }, { kind: 'battery', below: 10 }] as const),
  ...([{ kind: 'moved' }, { kind: 'stands', minutes: 600 }, { kind: 'button' }, { kind: 'back' }] as const),
]

async function watchAll({ db }: World & { db: SqliteDb }) {
  const accountId = db.raw.prepare('select account_id from devices where id = ?').pluck().get(FIRST_ID) as number
  const contacts = db.raw.prepare('select id from contacts where account_id = ? limit 1').pluck().all(accountId) as number[]
  const devices = Array.from({ length: REPORTING }, (_, n) => FIRST_ID + n)
  await db.write('everything', async (tx) => {
    for (let n = 0; n < WATCHES; n++) {
      const rule = RULES[n % RULES.length]!
      const place = {
        accountId,
        name: `Place ${n}`,
        address: 'Street 1',
        type: 'other',
        lat: -400_000_000 + n * 100_000,
        lng: -562_000_000,
        radius: 200,
      } as const
      const [saved] = rule ? [] : await tx.insert(places).values(place).returning({ id: places.id })
      const border = saved ? { place: saved.id, trigger: n % 2 ? ('enter' as const) : ('leave' as const) } : { place: null, trigger: null }
      const rest = { name: null, devices, unseen: [], contacts, vehicle_alert: false, schedule: null, pause: 0 }
      await createAlert(tx, { accountId, userId: 1, role: 'user' }, { ...rest, ...border, rule }, ANCHOR)
    }
  })
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

const origin = await listen(openWorld('ingest'))
const watched = openWorld('watched')
await watchAll(watched)
// The first message of a tracker saves the states of its alerts.
await Promise.all(
  Array.from({ length: REPORTING }, (_, n) =>
    ingest(watched, {
      identifier: String(FIRST_IDENTIFIER + n),
      positions: [{ lat: -34.9 + n / 1e4, lng: -56.2, precision: 6, datetime: '2025-12-31T23:00:00Z' }],
    }),
  ),
)
process.send?.({
  pid: process.pid,
  ours: `${origin}/devices/ingest/`,
  parseOnly: `${origin}${routes.parseOnly.path}`,
  each: `${origin}${routes.each.path}`,
  watched: `${await listen(watched)}/devices/ingest/`,
} satisfies IngestAddress)
