import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readEngine } from '#db/schema/engine.ts'
import { openSqlite, type SqliteDb } from '#db/sqlite/open.ts'
import { RUNS, report } from '#server/test/postgres/fault-runs.ts'
import { expectedOf, FIRST_ID, FIRST_IDENTIFIER, startSenders } from '#server/test/postgres/senders.ts'
import { TEMPLATE_FILE } from '#server/test/test-files.ts'
import { createInstallation, findFreePort } from '#server/test/test-process.ts'
import { getHeader, startSmtp } from '#server/test/test-smtp.ts'
import { mountSmallDisk } from './small-disk.ts'

const TRACKERS = 6
const ACCOUNTS = [1, 2]
const SLOW = { timeout: 900_000 }
const PATIENCE = { timeout: 90_000, interval: 25 }

type Installed = Awaited<ReturnType<typeof createInstallation>>
type Smtp = Awaited<ReturnType<typeof startSmtp>>

/** A production server on one database file, with trackers that send to it, and a mail server. */
async function startPortal(installed: Installed, smtp: Smtp, folder = installed.data) {
  const file = path.join(folder, 'whereabouts.db')
  copyFileSync(TEMPLATE_FILE, file)
  const db = openSqlite(file, { busyTimeout: 20_000 })
  addTrackers(db)
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const start = async () => {
    const program = installed.start('server/main.ts', { PORT: String(port), LOG_LEVEL: 'info', DATA_DIR: folder, SMTP_URL: smtp.url })
    await program.says('listening')
    return program
  }
  let server = await start()
  return {
    db,
    url,
    async replace(signal: NodeJS.Signals, between = () => {}) {
      server.signal(signal)
      await server.ended
      between()
      server = await start()
    },
  }
}

function addTrackers({ raw }: SqliteDb) {
  const names = (raw.pragma('table_info(devices)') as { name: string }[]).map(({ name }) => name)
  for (let nth = 0; nth < TRACKERS; nth++) {
    const changes: Record<string, string> = {
      id: String(FIRST_ID + nth),
      account_id: String(ACCOUNTS[nth % ACCOUNTS.length]),
      tag_id: 'null',
      identifier: `'${FIRST_IDENTIFIER + nth}'`,
      serial: `'FAULT${1_000_000 + nth}'`,
      position_at: 'null',
      stationary_since: 'null',
      battery: '80',
    }
    raw.exec(
      `insert into devices (${names.map((name) => `"${name}"`).join()}) select ${names.map((name) => changes[name] ?? `"${name}"`).join()} from devices where id = 1`,
    )
  }
}

const LOW = `template = 'low_battery' and cast(json_extract(data, '$.device') as integer) >= ${FIRST_ID}`
const select = <Row>({ rawRead }: SqliteDb, sql: string) => rawRead.prepare(sql).all() as Row[]
const count = (db: SqliteDb, from: string) => Number(db.rawRead.prepare(`select count(*) from ${from}`).pluck().get())

/** Runs faults while trackers send. Then all that was acknowledged is stored once, and each alert was mailed once. */
async function underLoad(
  { db, url, replace }: Awaited<ReturnType<typeof startPortal>>,
  smtp: Smtp,
  faults: (seen: ReturnType<typeof startSenders>['seen']) => Promise<void>,
) {
  const senders = startSenders({ urls: () => [url] }, TRACKERS)
  await expect.poll(() => senders.seen.acknowledged, PATIENCE).toBeGreaterThan(20)
  await faults(senders.seen)
  const after = senders.seen.acknowledged
  await expect.poll(() => senders.seen.acknowledged, PATIENCE).toBeGreaterThan(after + 20)
  const ledgers = await senders.stop()
  const due = () => `emails where sent_at is null and given_up_at is null and coalesce(next_attempt_at, 0) <= ${Date.now()}`
  await expect.poll(() => count(db, due()), PATIENCE).toBe(0)
  const claimed = count(db, 'emails where sent_at is null')
  // The five minutes of a claim pass.
  await replace('SIGTERM', () => void db.raw.exec('update emails set next_attempt_at = null where sent_at is null'))
  await expect.poll(() => count(db, 'emails where sent_at is null'), PATIENCE).toBe(0)

  const expected = expectedOf(ledgers)
  const stored = expected.trackers.map(({ deviceId }) => ({
    deviceId,
    times: select<{ time: number }>(db, `select time from positions where device_id = ${deviceId} order by time`).map(({ time }) => time),
    firings: count(db, `alert_firings where device_id = ${deviceId} and kind = 'low_battery'`),
  }))
  const mails = select<{ id: number }>(db, `select id from emails where ${LOW}`).map(({ id }) => id)
  const headers = smtp.taken.map((mail) => getHeader(mail, 'Message-ID'))
  const idOf = (header: string) => Number(/^<main-(\d+)-/.exec(header)?.[1])
  const delivered = new Set(headers.map(idOf))
  const lost = mails.filter((id) => !delivered.has(id))
  const doubled = headers.length - new Set(headers).size
  report(
    `${senders.seen.acknowledged} acknowledged, ${mails.length} mails of ${expected.mails}, ${headers.length} delivered, ${lost.length} lost, ${doubled} twice, ${claimed} claimed by dead servers`,
  )
  expect(stored).toEqual(expected.trackers.map(({ deviceId, times, firings }) => ({ deviceId, times, firings })))
  expect([mails.length, lost]).toEqual([expected.mails, []])
  return doubled
}

// The same on PostgreSQL is in `server/test/postgres/faults.test.ts`.
test.skipIf(readEngine() === 'postgres')(
  'a SQLite server that is killed under load loses and doubles nothing, and each alert is mailed',
  SLOW,
  async () => {
    await using smtp = await startSmtp()
    using installed = await createInstallation()
    const portal = await startPortal(installed, smtp)
    const kills = RUNS || 2
    const doubled = await underLoad(portal, smtp, async () => {
      for (let run = 0; run < kills; run++) {
        await delay(Math.random() * 300)
        await portal.replace('SIGKILL')
      }
    })
    await portal.db.close()
    // A server may die between the acceptance and its record: the second copy has the id of the first.
    expect(doubled).toBeLessThanOrEqual(kills)
  },
)

test.skipIf(readEngine() === 'postgres')(
  'a SQLite server whose disk is full mails nothing twice, and goes on once there is room',
  SLOW,
  async (context) => {
    using small = mountSmallDisk(64)
    if (!small) return context.skip('no file system of a few megabytes')
    await using smtp = await startSmtp()
    using installed = await createInstallation()
    const portal = await startPortal(installed, smtp, small.folder)
    const doubled = await underLoad(portal, smtp, async (seen) => {
      for (let run = 0; run < Math.min(RUNS || 1, 5); run++) {
        const before = seen.refused
        small.fill()
        await expect.poll(() => seen.refused, PATIENCE).toBeGreaterThan(before + 20)
        await delay(5000)
        small.free()
        const acknowledged = seen.acknowledged
        await expect.poll(() => seen.acknowledged, PATIENCE).toBeGreaterThan(acknowledged + 20)
      }
    })
    await portal.db.close()
    expect(doubled).toBe(0)
  },
)
