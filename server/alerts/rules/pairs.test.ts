import { expect, test } from 'vitest'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { RuleOf } from '#contracts/rules/tracking/rules/rule.ts'
import { teamDevices, users } from '#db/schema/accounts.ts'
import { channels, emails } from '#db/schema/messages.ts'
import { alertContacts, alertDevices, alertFirings, alerts, contacts } from '#db/schema/places.ts'
import { createAlert } from '#server/alerts/change-alerts.ts'
import { ruleDue } from '#server/alerts/due-alerts.ts'
import { readFirings } from '#server/alerts/firings.handlers.ts'
import { titleOf } from '#server/channels/channel-requests.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { deleteTrackers } from '#server/trackers/ownership/trackers.store.ts'
import { ingest } from '#server/tracking/ingest/ingest.ts'
import { createTestWorld, fix, NOW, OWNER } from '#server/tracking/test-world.ts'

type Rule = RuleOf<'apart' | 'together'>
const APART: Rule = { kind: 'apart', meters: 500 }

/** Rex and Luna in standard mode (a report every 10 to 15 minutes) and an alert about both, of which Bob is notified. */
async function start(rule: Rule = APART, { luna = 100 } = {}) {
  const portal = await createTestWorld({ name: 'Rex', mode: 1, kind: 'other' })
  const { db } = portal.world
  await portal.add(2, { name: 'Luna', mode: 1, kind: 'other' })
  await db.write('everything', (tx) => tx.insert(contacts).values({ id: 1, accountId: 1, name: 'Bob', email: 'bob@example.org' }))
  const send = (id: number, metres: number, minutes: number, more: object = {}) => {
    portal.at(minutes)
    return ingest(portal.world, { identifier: String(1_000_000_000 + id), positions: [fix(metres, minutes, more)] })
  }
  await send(1, 0, -1)
  await send(2, luna, -1)
  portal.at(0)
  const parts = { name: null, devices: [1, 2], unseen: [], contacts: [1], place: null, trigger: null, vehicle_alert: false }
  const alert = await db.write('everything', (tx) => createAlert(tx, OWNER, { ...parts, rule, schedule: null, pause: 0 }, NOW))
  const list = () => db.read.select().from(alertFirings).orderBy(alertFirings.id)
  return {
    ...portal,
    db,
    alert,
    rex: (metres: number, minutes: number, more?: object) => send(1, metres, minutes, more),
    luna: (metres: number, minutes: number, more?: object) => send(2, metres, minutes, more),
    list,
    fired: async () => (await list()).map(({ kind, at, deviceId }) => `${kind} ${(at.getTime() - NOW.getTime()) / MINUTE_MS} ${deviceId}`),
    wait: (minutes: number) =>
      runDue({ ...portal.world, log: console } as never, new Date(NOW.getTime() + minutes * MINUTE_MS), { jobs: [ruleDue] }),
    [Symbol.dispose]: portal[Symbol.dispose],
  }
}

test('two trackers that are apart fire once, with the name of the other one and their distance', async () => {
  using portal = await start()
  await portal.rex(0, 10)
  await portal.luna(1200, 10)
  await portal.rex(0, 20)
  await portal.luna(1300, 20)
  expect(await portal.fired()).toEqual(['apart 10 1'])
  expect(await portal.list()).toMatchObject([{ otherId: 2, distance: 1200, rule: APART, mails: 1 }])
  const [mail] = await portal.db.read.select().from(emails)
  expect(mail).toMatchObject({ to: 'bob@example.org', template: 'rule_alert', data: { tracker: 'Rex', other: 'Luna', distance: '1200' } })
})

test('they fire again after they were together, and a rule for being together fires then', async () => {
  using apart = await start()
  for (const [nth, metres] of [900, 50, 900].entries()) {
    await apart.rex(0, 10 + 10 * nth)
    await apart.luna(metres, 10 + 10 * nth)
  }
  expect(await apart.fired()).toEqual(['apart 10 1', 'apart 30 1'])
  using together = await start({ kind: 'together', meters: 500 }, { luna: 3000 })
  await together.rex(0, 10)
  await together.luna(50, 10)
  expect(await together.fired()).toEqual(['together 10 1'])
})

test('the messages of both trackers in one group see the same state', async () => {
  using portal = await start()
  portal.at(20)
  const message = (id: number, metres: number, minutes: number) =>
    ingest(portal.world, { identifier: String(1_000_000_000 + id), positions: [fix(metres, minutes)] })
  await Promise.all([
    message(1, 0, 5),
    message(2, 900, 5),
    message(1, 0, 10),
    message(2, 950, 10),
    message(2, 980, 15),
    message(1, 0, 15),
    message(1, 0, 20),
    message(2, 900, 20),
  ])
  expect(await portal.fired()).toEqual(['apart 5 1'])
  const rows = await portal.db.read.select().from(alertDevices).orderBy(alertDevices.deviceId)
  // Both share the state in the row of the first one.
  expect(rows.map(({ state }) => state)).toMatchObject([{ isSpent: true }, null])
})

test('two servers that get the messages of both trackers at once fire exactly once', async () => {
  using portal = await start()
  portal.at(20)
  // A world with a database object of its own has groups of its own, as another server has.
  const other = { ...portal.world, db: Object.create(portal.world.db) }
  const send = (world: typeof portal.world, id: number, metres: number, minutes: number) =>
    ingest(world, { identifier: String(1_000_000_000 + id), positions: [fix(metres, minutes)] })
  await Promise.all(
    [5, 10, 15, 20].flatMap((minute) => [send(portal.world, 1, 0, minute), send(other as typeof portal.world, 2, 900, minute)]),
  )
  expect(await portal.fired()).toHaveLength(1)
})

test('a tracker that leaves a parked one fires at its position, without a further message', async () => {
  using portal = await start()
  for (const minute of [10, 20]) {
    await portal.rex(0, minute)
    await portal.luna(100, minute)
  }
  await portal.luna(2000, 50)
  await portal.wait(60)
  expect(await portal.fired()).toEqual([])
  await portal.wait(68)
  expect(await portal.fired()).toEqual(['apart 50 2'])
  expect(await portal.list()).toMatchObject([{ otherId: 1, distance: 2000 }])
  await portal.wait(300)
  expect(await portal.fired()).toHaveLength(1)
})

test('the order of two messages does not matter', async () => {
  using first = await start()
  using second = await start()
  await first.rex(9000, 10)
  await first.luna(9900, 11)
  await first.rex(9000, 20)
  await first.luna(12_000, 21)
  await first.rex(9000, 30)
  await first.luna(12_000, 31)
  await second.luna(9900, 11)
  await second.rex(9000, 10)
  await second.luna(12_000, 21)
  await second.rex(9000, 20)
  await second.luna(12_000, 31)
  await second.rex(9000, 30)
  expect(await second.fired()).toEqual(await first.fired())
  expect(await first.fired()).toHaveLength(1)
})

test('late and out-of-order positions fire nothing', async () => {
  using portal = await start()
  await portal.rex(0, 30)
  await portal.luna(50, 30)
  await portal.luna(5000, 20)
  await portal.rex(0, 40)
  await portal.luna(50, 40)
  expect(await portal.fired()).toEqual([])
})

test('trackers that were apart when the alert was saved have to come together first', async () => {
  using portal = await start(APART, { luna: 5000 })
  await portal.rex(0, 10)
  await portal.luna(5000, 10)
  expect(await portal.fired()).toEqual([])
  await portal.rex(0, 20)
  await portal.luna(50, 20)
  await portal.rex(0, 30)
  await portal.luna(5000, 30)
  expect(await portal.fired()).toEqual(['apart 30 1'])
})

test('a removed tracker takes the alert about both and what it fired with it', async () => {
  using portal = await start()
  await portal.rex(0, 10)
  await portal.luna(1200, 10)
  const luna = await portal.device(2)
  await portal.db.write('everything', (tx) => deleteTrackers(tx, [luna]))
  expect(await portal.db.read.select().from(alerts)).toEqual([])
  expect(await portal.fired()).toEqual([])
})

test('a member who sees only one of both reads nothing of what fired', async () => {
  using portal = await start()
  const member = { userId: 7, accountId: 1, role: 'pro' as const }
  await portal.db.write('everything', async (tx) => {
    const person = { firstName: 'M', lastName: 'N', emailConfirmed: true, createdAt: NOW }
    await tx.insert(users).values({ ...person, id: 7, accountId: 1, username: 'mia', email: 'mia@example.com', role: 'pro' })
    await tx.insert(teamDevices).values({ userId: 7, deviceId: 1 })
  })
  await portal.rex(0, 10)
  await portal.luna(1200, 10)
  const read = (viewer: object) => readFirings({ ...portal.world, viewer } as never, {})
  expect((await read(OWNER)).firings).toMatchObject([{ device: 1, other: 2, other_name: 'Luna', distance: 1200 }])
  expect((await read(member)).firings).toEqual([])
  await portal.db.write('everything', (tx) => tx.insert(teamDevices).values({ userId: 7, deviceId: 2 }))
  expect((await read(member)).firings).toHaveLength(1)
})

test('a team member who sees only one of both gets no mail, notification, message or live event', async () => {
  using portal = await start()
  await portal.db.write('everything', async (tx) => {
    const person = { firstName: 'M', lastName: 'N', emailConfirmed: true, createdAt: NOW, accountId: 1, role: 'pro' as const }
    await tx.insert(users).values([
      { ...person, id: 7, username: 'mia', email: 'mia@example.com' },
      { ...person, id: 8, username: 'max', email: 'max@example.com' },
    ])
    await tx.insert(teamDevices).values([
      { userId: 7, deviceId: 1 },
      { userId: 8, deviceId: 1 },
      { userId: 8, deviceId: 2 },
    ])
    await tx.insert(contacts).values([
      { id: 7, accountId: 1, name: 'Mia', email: 'mia@example.com' },
      { id: 8, accountId: 1, name: 'Max', email: 'max@example.com' },
    ])
    await tx.insert(alertContacts).values([7, 8].map((contactId) => ({ alertId: portal.alert, contactId })))
    const common = { kind: 'ntfy' as const, target: 'https://ntfy.example.com/topic', createdAt: NOW, verifiedAt: NOW }
    await tx.insert(channels).values([7, 8].map((userId) => ({ ...common, userId, label: `Of ${userId}` })))
  })
  await portal.rex(0, 10)
  await portal.luna(1200, 10)
  expect((await portal.db.read.select().from(emails)).map(({ to }) => to)).toEqual(['bob@example.org', 'max@example.com'])
  const [{ notices } = { notices: null }] = await portal.list()
  expect(notices?.filter(({ way }) => way === 'ntfy')).toMatchObject([{ to: 'Of 8' }])
  const event = portal.heard.find(({ type }) => type === 'alert')
  expect(JSON.parse(event!.data)).toMatchObject({ device: 1, other: 2, type: 'apart' })
})

test('the sentence of a channel names both trackers and their distance', () => {
  const content = {
    type: 'alert' as const,
    kind: 'apart' as const,
    rule: APART,
    device: { id: 1, name: 'Rex' },
    other: { id: 2, name: 'Luna' },
    distance: 1234,
    place: null,
    at: '2026-03-02T09:00:00Z',
    position: null,
    address: null,
  }
  expect(titleOf({ content, language: 'en', productName: 'Whereabouts' })).toBe('Rex and Luna are 1.2 km apart')
  expect(titleOf({ content, language: 'de', productName: 'Whereabouts' })).toBe('Rex und Luna sind 1,2 km voneinander entfernt')
})
