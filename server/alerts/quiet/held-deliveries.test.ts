import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { SentHook } from '#contracts/mock/outgoing.ts'
import { users } from '#db/schema/accounts.ts'
import { channels } from '#db/schema/messages.ts'
import { publishLowBattery } from '#server/alerts/publish-alerts.ts'
import { startJobsPortal } from '#server/jobs/test-jobs.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'

type Portal = Awaited<ReturnType<typeof startJobsPortal>>

const ALICE = 'alice@example.com'
const MORNING = { days: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '12:30' }

const setSpans = ({ call }: Portal, spans: object[]) => call(ALICE, 'PUT', '/users/quiet_hours/', { spans })

/** Alice has quiet hours until 12:30 and a topic, to which an alert of 9:10 waits. */
async function start() {
  const portal = await startJobsPortal()
  const { db, clock } = portal.world
  clock.set({ at: new Date('2026-03-02T09:10:00Z') })
  await db.write('everything', async (tx) => {
    const [alice] = await tx.update(users).set({ timeZone: null }).where(eq(users.email, ALICE)).returning()
    const common = { userId: alice!.id, createdAt: clock.now(), verifiedAt: clock.now() }
    await tx.insert(channels).values({ ...common, kind: 'ntfy', label: 'Tablet', target: 'https://ntfy.sh/rex-4711' })
  })
  await setSpans(portal, [MORNING])
  const rex = await portal.device(SEED.devices.rex)
  await db.write('everything', (tx) => publishLowBattery(tx, rex, clock.now()))
  await portal.world.receivers?.wake?.()
  return portal
}

const listArrivals = async ({ call }: Portal) =>
  ((await call(null, 'GET', '/mock/hooks')).body as SentHook[])
    .filter(({ body }) => body.includes('battery of Rex'))
    .map(({ kind, at }) => `${kind} ${at.slice(11, 16)}`)

const readNotice = async ({ call }: Portal) => {
  const { notices } = (await call(ALICE, 'GET', '/alert_firings/')).body.firings[0]
  return notices.find(({ way }: { way: string }) => way === 'ntfy')
}

test.each([
  ['shortens them', [{ ...MORNING, to: '11:00' }], '2026-03-02T11:00:00Z'],
  ['extends them', [MORNING, { ...MORNING, days: [1], from: '12:00', to: '15:15' }], '2026-03-02T15:15:00Z'],
  ['makes them begin and end earlier', [{ ...MORNING, from: '07:00', to: '10:00' }], '2026-03-02T10:00:00Z'],
])('a message that waits for the end of quiet hours follows when the user %s', async (_, spans, end) => {
  await using portal = await start()
  expect(await readNotice(portal)).toMatchObject({ state: 'held', at: '2026-03-02T12:30:00Z' })
  await setSpans(portal, spans)
  expect(await readNotice(portal)).toMatchObject({ state: 'held', at: end })
  await portal.call(null, 'POST', '/mock/clock/advance', { by: `PT${(Date.parse(end) - Date.parse('2026-03-02T09:10:00Z')) / 1000 - 1}S` })
  expect(await listArrivals(portal)).toEqual([])
  await portal.call(null, 'POST', '/mock/clock/advance', { by: 'PT1M' })
  expect(await listArrivals(portal)).toEqual([`ntfy ${end.slice(11, 16)}`])
})

test.each([
  ['ends them', []],
  ['moves them to the afternoon', [{ ...MORNING, from: '13:00', to: '15:00' }]],
  ['limits them to other days', [{ ...MORNING, days: [2, 3] }]],
])('a message that waits for the end of quiet hours is sent at once when the user %s', async (_, spans) => {
  await using portal = await start()
  await setSpans(portal, spans)
  expect(await listArrivals(portal)).toEqual(['ntfy 09:10'])
  expect(await readNotice(portal)).toMatchObject({ state: 'delivered' })
})

test('a message that is tried again after a failure keeps its time when quiet hours change', async () => {
  await using portal = await start()
  await portal.call(null, 'PUT', '/mock/hooks/answer', { status: 500, minutes: 1 })
  await setSpans(portal, [])
  await setSpans(portal, [MORNING])
  expect(await readNotice(portal)).toMatchObject({ state: 'waiting', reason: 'status', at: '2026-03-02T09:10:15Z' })
})
