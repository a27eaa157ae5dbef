import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openSqlite } from '#db/sqlite/open.ts'
import { createInstallation, findFreePort } from '#server/test/test-process.ts'
import { due } from './test-due.ts'

const SLOW = { timeout: 240_000 }
const MAILS = `select "to" || ' ' || template || ' ' || json_extract(data, '$.tracker') from emails
  where template in ('subscription_ended', 'network_lost') order by 1`

/** Runs the jobs on a database file in a child process and resolves to how it ended. */
const work = (file: string, commits: number) =>
  new Promise<NodeJS.Signals | number | null>((resolve) => {
    const entry = path.resolve('server/jobs/test-entry-crash.ts')
    const child = spawn(process.execPath, ['--import', 'tsx', entry, file, String(commits)], { stdio: ['ignore', 'ignore', 'inherit'] })
    child.on('close', (code, signal) => resolve(signal ?? code))
  })

test('jobs that are killed in every transaction lose nothing and repeat nothing', SLOW, async () => {
  using installed = await createInstallation()
  installed.seed()
  const db = openSqlite(installed.file)
  const all = <T>(query: string) => db.raw.prepare(query).pluck().all() as T[]
  await db.write('everything', (tx) => due.plant(tx))

  expect(await work(installed.file, 0)).toBe('SIGKILL')
  expect([all(MAILS), all('select id from live_events')]).toEqual([[], []])
  let kills = 1
  while ((await work(installed.file, 1)) === 'SIGKILL') kills++

  expect(kills).toBe(due.expected.pieces)
  expect(all(MAILS)).toEqual(due.expected.mails)
  expect(all(`select type || ' ' || count(*) from live_events group by type order by type`)).toEqual(due.expected.events)
  expect(all('select id from devices where boost_until is not null and boost_until < 1600000000000')).toEqual([])
  expect(all('select key from throttles')).toEqual([])
  expect(db.raw.pragma('integrity_check', { simple: true })).toBe('ok')
  db.close()
})

test('a server that is killed again and again while jobs run mails each owner once', SLOW, async () => {
  using installed = await createInstallation()
  installed.seed()
  const db = openSqlite(installed.file)
  const count = (query: string) => db.raw.prepare(query).pluck().get() as number
  const told = () => count(`select count(*) from emails where json_extract(data, '$.tracker') like 'Bulk %'`)
  const TRACKERS = 1000
  db.raw.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${TRACKERS})
    insert into devices (id, account_id, type, board_name, name, kind, created_at, mode, sub_state, sub_end_date)
    select 10000 + i, 1, 'tracker_01', 'TRK1-A', 'Bulk ' || i, 'dog', 0, 21, 'active', 1577836800000 + i from n`)

  for (const part of [0.1, 0.5, 1]) {
    const server = installed.start('server/main.ts', { PORT: String(await findFreePort()) })
    await expect.poll(told, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(TRACKERS * part)
    server.signal('SIGKILL')
    await server.ended
    if (part < 1) expect(told()).toBeLessThan(TRACKERS)
  }

  expect(
    count(
      `select count(distinct json_extract(data, '$.tracker')) from emails where template = 'subscription_ended' and data like '%Bulk%'`,
    ),
  ).toBe(TRACKERS)
  expect(told()).toBe(TRACKERS)
  expect(count(`select count(*) from devices where name like 'Bulk %' and sub_state = 'ended'`)).toBe(TRACKERS)
  db.close()
})
