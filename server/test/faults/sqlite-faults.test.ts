import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openSqlite, type SqliteDb } from '#db/sqlite/open.ts'
import { templateFile } from '#scripts/test-setup/template-file.ts'
import { RUNS, report } from '#server/test/postgres/fault-runs.ts'
import { expectedOf, FIRST_ID, FIRST_IDENTIFIER, startSenders } from '#server/test/postgres/senders.ts'
import { createInstallation, findFreePort } from '#server/test/test-process.ts'
import { startSmtp } from '#server/test/test-smtp.ts'
import { compareMails } from './compare-mails.ts'
import { mountSmallDisk } from './small-disk.ts'

/** Enough mails that some are in progress at most kills, but no more than can be sent between them. */
const TRACKERS = RUNS ? 12 : 6
const PAUSE_MS = RUNS ? 500 : 50
const LOW_EVERY = 2
const OWNERS = 8
/** Mails that a server sends at once: that many may be accepted without being recorded when the server is killed, and are sent again. */
const MAIL_CONNECTIONS = 10
const SLOW = { timeout: 900_000 }
const PATIENCE = { timeout: 90_000, interval: 25 }
const SENDING = { timeout: 300_000, interval: 100 }

type Installed = Awaited<ReturnType<typeof createInstallation>>
type Smtp = Awaited<ReturnType<typeof startSmtp>>

/** A production server on one database file, with trackers that send to it, and a mail server. */
async function startPortal(installed: Installed, smtp: Smtp, folder = installed.data) {
  const file = path.join(folder, 'whereabouts.db')
  copyFileSync(templateFile(), file)
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

/** Adds trackers of owners whose mailboxes are at different domains, because only a part of the connections goes to one domain. */
function addTrackers({ raw, rawRead }: SqliteDb) {
  const owners = "select account_id from users where email_confirmed = 1 and role = 'user' group by 1 order by 1"
  const accounts = rawRead.prepare(`${owners} limit ${OWNERS}`).pluck().all()
  raw.exec(`update users set email = replace(email, '@', '@' || id || '.')`)
  const names = (raw.pragma('table_info(devices)') as { name: string }[]).map(({ name }) => name)
  for (let nth = 0; nth < TRACKERS; nth++) {
    const changes: Record<string, string> = {
      id: String(FIRST_ID + nth),
      account_id: String(accounts[nth % accounts.length]),
      tag_id: 'null',
      identifier: `'${FIRST_IDENTIFIER + nth}'`,
      serial: `'FAULT${1_000_000 + nth}'`,
      // The subscription of the copied tracker may be over: then the tracker rests.
      sub_state: `'active'`,
      sub_end_date: 'null',
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

/**
 * Runs faults while trackers send. Afterwards everything acknowledged is stored once, and each alert was mailed under one Message-ID.
 * Returns how many mails were sent again with the same one.
 */
async function underLoad(
  { db, url, replace }: Awaited<ReturnType<typeof startPortal>>,
  smtp: Smtp,
  faults: (seen: ReturnType<typeof startSenders>['seen']) => Promise<void>,
) {
  const senders = startSenders({ urls: () => [url] }, TRACKERS, { lowEvery: LOW_EVERY, pauseMs: PAUSE_MS })
  await expect.poll(() => senders.seen.acknowledged, PATIENCE).toBeGreaterThan(20)
  await faults(senders.seen)
  const after = senders.seen.acknowledged
  await expect.poll(() => senders.seen.acknowledged, PATIENCE).toBeGreaterThan(after + 20)
  const ledgers = await senders.stop()
  const due = () => `emails where sent_at is null and given_up_at is null and coalesce(next_attempt_at, 0) <= ${Date.now()}`
  await expect.poll(() => count(db, due()), SENDING).toBe(0)
  // The five minutes of a claim pass.
  await replace('SIGTERM', () => void db.raw.exec('update emails set next_attempt_at = null where sent_at is null'))
  await expect.poll(() => count(db, 'emails where sent_at is null'), SENDING).toBe(0)

  const expected = expectedOf(ledgers)
  const stored = expected.trackers.map(({ deviceId }) => ({
    deviceId,
    times: select<{ time: number }>(db, `select time from positions where device_id = ${deviceId} order by time`).map(({ time }) => time),
    firings: count(db, `alert_firings where device_id = ${deviceId} and kind = 'low_battery'`),
  }))
  const queued = select<{ id: number; attempts: number }>(db, `select id, attempts from emails where ${LOW}`)
  const { repeated, ...compared } = compareMails(smtp.taken, queued)
  // A fired alert and the mails that it refers to are one transaction.
  const refs =
    "select json_extract(line.value, '$.ref') as ref from alert_firings, json_each(notices) line where json_extract(line.value, '$.way') = 'email'"
  expect(count(db, `emails where ${LOW} and id not in (select ref from (${refs}) where ref is not null)`), 'mails of no alert').toBe(0)
  expect(count(db, `(${refs}) where ref is not null and ref not in (select id from emails)`), 'references to no mail').toBe(0)
  report(`${senders.seen.acknowledged} acknowledged, mails ${JSON.stringify({ ...compared, repeated })}`)
  expect(stored).toEqual(expected.trackers.map(({ deviceId, times, firings }) => ({ deviceId, times, firings })))
  expect(compared).toMatchObject({ alerts: expected.mails, lost: 0, renamed: 0, unexplained: 0 })
  return repeated
}

// The same test on PostgreSQL is in `server/test/postgres/faults.test.ts`.
test('a SQLite server that is killed under load loses and doubles nothing, and each alert is mailed', SLOW, async () => {
  await using smtp = await startSmtp()
  using installed = await createInstallation()
  const portal = await startPortal(installed, smtp)
  const kills = RUNS || 2
  const countClaimed = () => count(portal.db, 'emails where sent_at is null and attempts > 0')
  let withMails = 0
  const repeated = await underLoad(portal, smtp, async () => {
    for (let run = 0; run < kills; run++) {
      const [taken, claimed] = [smtp.taken.length, countClaimed()]
      await expect.poll(() => smtp.taken.length, PATIENCE).toBeGreaterThan(taken)
      await delay(Math.random() * 300)
      await portal.replace('SIGKILL', () => {
        if (countClaimed() > claimed) withMails++
      })
    }
  })
  await portal.db.close()
  report(`mails were on their way at ${withMails} of ${kills} kills`)
  expect(repeated).toBeLessThanOrEqual(MAIL_CONNECTIONS * kills)
})

test('a SQLite server whose disk is full mails nothing twice, and goes on once there is room', SLOW, async (context) => {
  using small = mountSmallDisk(64)
  if (!small) return context.skip('no file system of a few megabytes')
  await using smtp = await startSmtp()
  using installed = await createInstallation()
  const portal = await startPortal(installed, smtp, small.folder)
  const repeated = await underLoad(portal, smtp, async (seen) => {
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
  expect(repeated).toBe(0)
})
