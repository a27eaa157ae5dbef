import { and, eq, inArray, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Db } from '#db/db.ts'
import { throttles } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { emails } from '#db/schema/messages.ts'
import { openStored, queryRows, queryValue } from '#server/test/test-database.ts'
import { createInstallation, findFreePort, runUntilEnd } from '#server/test/test-process.ts'
import { due } from './test-due.ts'

async function listMails({ read }: Db) {
  const mails = await read
    .select()
    .from(emails)
    .where(inArray(emails.template, ['subscription_ended', 'network_lost']))
  return mails.map(({ to, template, data }) => `${to} ${template} ${data.tracker}`).sort()
}

/** Runs the jobs on a database in a child process and resolves to how it ended. */
const work = (address: string, commits: number) => runUntilEnd('server/jobs/test-entry-crash.ts', [address, String(commits)])

test('jobs that are killed in every transaction lose nothing and repeat nothing', async () => {
  await using stored = await openStored()
  const { db, address } = stored
  await db.write('everything', (tx) => due.plant(tx))

  expect(await work(address, 0)).toBe('SIGKILL')
  expect([await listMails(db), await queryRows(db, 'select id from live_events')]).toEqual([[], []])
  let kills = 1
  while ((await work(address, 1)) === 'SIGKILL') kills++

  expect(kills).toBe(due.expected.pieces)
  expect(await listMails(db)).toEqual(due.expected.mails)
  expect(await queryRows(db, "select type || ' ' || count(*) as counted from live_events group by type order by type")).toEqual(
    due.expected.events.map((counted) => ({ counted })),
  )
  expect(await queryRows(db, 'select id from devices where boost_until is not null and boost_until < 1600000000000')).toEqual([])
  expect(await db.read.select().from(throttles)).toEqual([])
  if (!db.isShared) expect(db.raw.pragma('integrity_check', { simple: true })).toBe('ok')
})

test('a server that is killed again and again while jobs run mails each owner once', async () => {
  using installed = await createInstallation()
  await using stored = await openStored()
  const { db, env } = stored
  const listTold = async () =>
    (await db.read.select().from(emails)).flatMap(({ template, data }) =>
      data.tracker?.startsWith('Bulk ') ? [[template, data.tracker]] : [],
    )
  const countTold = async () => Number(await queryValue(db, `select count(*) from emails where cast(data as text) like '%"Bulk %'`))
  const TRACKERS = 1000
  const bulk = Array.from({ length: TRACKERS }, (_, index) => ({
    ...({ accountId: 1, type: 'tracker_01', boardName: 'TRK1-A', kind: 'dog', mode: 21, subState: 'active' } as const),
    ...{ id: 10_000 + index, name: `Bulk ${index}`, createdAt: new Date(0), subEndDate: new Date(1_577_836_800_000 + index) },
  }))
  await db.write('everything', async (tx) => {
    for (let first = 0; first < TRACKERS; first += 100) await tx.insert(devices).values(bulk.slice(first, first + 100))
  })

  for (const part of [0.1, 0.5, 1]) {
    const server = installed.start('server/main.ts', { PORT: String(await findFreePort()), ...env })
    await expect.poll(countTold, { interval: 5 }).toBeGreaterThanOrEqual(TRACKERS * part)
    server.signal('SIGKILL')
    await server.ended
    if (part === 0.1) expect(await countTold()).toBeLessThan(TRACKERS)
  }

  const told = await listTold()
  expect(told.length).toBe(TRACKERS)
  expect(new Set(told.map(String)).size).toBe(TRACKERS)
  expect([...new Set(told.map(([template]) => template))]).toEqual(['subscription_ended'])
  expect(await db.read.$count(devices, and(like(devices.name, 'Bulk %'), eq(devices.subState, 'ended')))).toBe(TRACKERS)
})
