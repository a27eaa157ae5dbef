import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { AlertSchedule } from '#contracts/alerts.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { Rule } from '#contracts/rules/tracking/rules/rule.ts'
import { toFixed7 } from '#db/positions.ts'
import { users } from '#db/schema/accounts.ts'
import { devices, sct2Params } from '#db/schema/devices.ts'
import { emails } from '#db/schema/messages.ts'
import { alertDevices, alertFirings, contacts, places } from '#db/schema/places.ts'
import { createAlert } from '#server/alerts/change-alerts.ts'
import { restartDeadlines, ruleDue } from '#server/alerts/due-alerts.ts'
import { nextDue, runDue } from '#server/jobs/run-jobs.ts'
import { createTestWorld, fix, HOME, NOW, OWNER } from '#server/tracking/test-world.ts'

type More = { place?: number; schedule?: AlertSchedule; pause?: number }

/** A tracker in standard mode (a report every 10 to 15 minutes), a place of 200 m around home, and the contact Bob. */
async function start(device: Parameters<typeof createTestWorld>[0] = {}) {
  const portal = await createTestWorld({ mode: 1, kind: 'other', ...device })
  const { db } = portal.world
  await db.write('everything', async (tx) => {
    const place = { accountId: 1, name: 'School', address: 'Street 1', type: 'school' as const, radius: 200 }
    await tx.insert(places).values({ id: 1, ...place, lat: toFixed7(HOME.lat), lng: toFixed7(HOME.lng) })
    await tx.insert(contacts).values({ id: 1, accountId: 1, name: 'Bob', email: 'bob@example.org' })
  })
  const minute = (at: Date) => (at.getTime() - NOW.getTime()) / MINUTE_MS
  return {
    ...portal,
    watch: (rule: Rule, minutes = 0, { place, schedule, pause = 0 }: More = {}) =>
      db.write('everything', (tx) => {
        const parts = { name: null, devices: [1], unseen: [], contacts: [1], place: place ?? null, trigger: null, vehicle_alert: false }
        return createAlert(tx, OWNER, { ...parts, rule, schedule: schedule ?? null, pause }, new Date(NOW.getTime() + minutes * MINUTE_MS))
      }),
    /** Lets the clock of the jobs go to each instant at which something falls due, up to `until` minutes. */
    async wait(until: number) {
      const end = new Date(NOW.getTime() + until * MINUTE_MS)
      const world = { ...portal.world, log: console } as never
      for (let now: Date | null = new Date(0); now && now <= end; ) {
        await runDue(world, now, { jobs: [ruleDue] })
        now = await nextDue(world, now, [ruleDue])
      }
      await runDue(world, end, { jobs: [ruleDue] })
    },
    fired: async () => (await db.read.select().from(alertFirings).orderBy(alertFirings.id)).map(({ kind, at }) => `${kind} ${minute(at)}`),
    mails: async () => (await db.read.select().from(emails)).map(({ to, template }) => `${to} ${template}`),
    rows: () => db.read.select().from(alertDevices),
    [Symbol.dispose]: portal[Symbol.dispose],
  }
}

test('a silent tracker fires once, with its last position, and the first message after that fires the rule for coming back', async () => {
  using portal = await start()
  await portal.say(0, 0)
  await portal.watch({ kind: 'silent' })
  await portal.watch({ kind: 'back' })
  await portal.say(500, 10)
  await portal.wait(44)
  expect(await portal.fired()).toEqual([])
  await portal.wait(300)
  expect(await portal.fired()).toEqual(['silent 45'])
  expect(await portal.mails()).toEqual(['bob@example.org rule_alert'])
  await portal.say(900, 301)
  expect(await portal.fired()).toEqual(['silent 45', 'back 301'])
  await portal.wait(340)
  expect((await portal.fired()).at(-1)).toBe('silent 336')
})

test('a silence that the job has not found yet fires before the message that ends it', async () => {
  using portal = await start()
  await portal.say(0, 0)
  await portal.watch({ kind: 'silent' })
  await portal.watch({ kind: 'back' })
  await portal.say(0, 60)
  expect(await portal.fired()).toEqual(['silent 35', 'back 60'])
})

test('a tracker that reports in time moves no due time, and the job that finds nothing due moves it itself', async () => {
  using portal = await start()
  await portal.say(0, 0)
  await portal.watch({ kind: 'silent' })
  const due = async () => (await portal.rows())[0]?.dueAt?.getTime()
  const first = await due()
  for (const minutes of [10, 20, 30]) await portal.say(minutes * 50, minutes)
  expect(await due()).toBe(first)
  await portal.wait(36)
  expect([await due(), await portal.fired()]).toEqual([NOW.getTime() + 65 * MINUTE_MS, []])
})

test('in plane mode and while it rests a tracker is never silent', async () => {
  using plane = await start({ mode: 4 })
  await plane.say(0, 0)
  await plane.watch({ kind: 'silent' })
  await plane.wait(2000)
  expect(await plane.fired()).toEqual([])
  const longAgo = new Date(NOW.getTime() - 100 * 86_400_000)
  using resting = await start({ subState: 'ended', subEndDate: longAgo, createdAt: longAgo })
  await resting.say(0, 0)
  await resting.watch({ kind: 'silent' })
  await resting.wait(2000)
  expect(await resting.fired()).toEqual([])
})

test('a configurable tracker is silent by its own intervals', async () => {
  using portal = await start({ boardName: 'SCT2-A', mode: 50 })
  const params = { deviceId: 1, frequency: 5, keepalivePeriod: 60, tempUplinkSlicesDuration: 2, tempSliceDuration: 60 }
  await portal.world.db.write('everything', (tx) => tx.insert(sct2Params).values(params))
  await portal.say(0, 0)
  await portal.watch({ kind: 'silent' })
  await portal.wait(100)
  expect(await portal.fired()).toEqual(['silent 15'])
})

test('a battery that falls below the limit fires once, also by a message without a position', async () => {
  using portal = await start()
  await portal.watch({ kind: 'battery', below: 30 })
  const send = (battery: number, minutes: number) => portal.say(0, minutes, { positions: [], battery })
  await send(31, 0)
  await send(29, 10)
  await send(20, 20)
  await send(45, 30)
  await send(29, 40)
  expect((await portal.fired()).filter((line) => line.startsWith('battery'))).toEqual(['battery 10', 'battery 40'])
})

test('a parked tracker of any kind and mode fires when it starts to move', async () => {
  using portal = await start()
  for (const minutes of [0, 10, 20]) await portal.say(0, minutes)
  await portal.watch({ kind: 'moved' }, 20)
  await portal.say(900, 30)
  await portal.say(1800, 40)
  expect(await portal.fired()).toEqual(['moved 30'])
})

test('a stay fires while no message comes, once', async () => {
  using portal = await start()
  await portal.say(0, 0)
  await portal.watch({ kind: 'stands', minutes: 60 })
  await portal.say(0, 10)
  await portal.wait(59)
  expect(await portal.fired()).toEqual([])
  await portal.wait(61)
  await portal.say(0, 250)
  await portal.wait(600)
  expect(await portal.fired()).toEqual(['stands 60'])
})

test('a tracker that moves on in time fires no stay', async () => {
  using portal = await start()
  await portal.say(0, 0)
  await portal.watch({ kind: 'stands', minutes: 60 })
  await portal.say(0, 10)
  await portal.say(2000, 50)
  await portal.wait(200)
  expect(await portal.fired()).toEqual([])
})

test('a speed fires by what the tracker measured, or by its way between two fixes', async () => {
  using sent = await start()
  await sent.watch({ kind: 'speed', over: 60, seconds: 60 })
  await sent.say(0, 0, { positions: [fix(0, 0, { speed: 70 })] })
  await sent.say(1200, 1, { positions: [fix(1200, 1, { speed: 70 })] })
  expect(await sent.fired()).toEqual(['speed 1'])
  using computed = await start()
  await computed.watch({ kind: 'speed', over: 60, seconds: 60 })
  for (const minutes of [0, 10, 20]) await computed.say(minutes * 1200, minutes)
  expect(await computed.fired()).toEqual(['speed 10'])
})

test('a press of the button fires, also without a position, and is not held back by quiet hours', async () => {
  using portal = await start()
  const quiet = { quietFrom: '00:00', quietTo: '23:59', email: 'bob@example.org', username: 'bob@example.org' }
  await portal.world.db.write('everything', (tx) => tx.update(users).set(quiet).where(eq(users.id, 1)))
  await portal.watch({ kind: 'button' })
  await portal.say(0, 10, { positions: [], presses: [fix(0, 9).datetime] })
  expect(await portal.fired()).toEqual(['button 9'])
  expect(await portal.mails()).toEqual(['bob@example.org rule_alert'])
})

test('at its time of day a tracker that has not arrived fires, in the zone of the owner', async () => {
  using portal = await start()
  await portal.world.db.write('everything', (tx) => tx.update(users).set({ timeZone: 'Europe/Berlin' }).where(eq(users.id, 1)))
  await portal.say(2000, 0)
  await portal.watch({ kind: 'not_arrived', by: '10:30' }, 0, { place: 1 })
  await portal.watch({ kind: 'not_left', by: '10:30' }, 0, { place: 1 })
  await portal.wait(31)
  expect(await portal.fired()).toEqual(['not_arrived 30'])
  await portal.say(0, 60)
  await portal.say(0, 70)
  await portal.wait(24 * 60 + 31)
  expect(await portal.fired()).toEqual(['not_arrived 30', `not_left ${24 * 60 + 30}`])
})

test('a tracker whose side of the border is unknown fires nothing', async () => {
  using portal = await start()
  await portal.watch({ kind: 'not_arrived', by: '09:30' }, 0, { place: 1 })
  await portal.wait(3000)
  expect(await portal.fired()).toEqual([])
})

test('after a change of the time zone the next time of day is that of the new one', async () => {
  using portal = await start()
  await portal.say(2000, 0)
  await portal.watch({ kind: 'not_arrived', by: '09:30' }, 0, { place: 1 })
  const { db } = portal.world
  await db.write('everything', async (tx) => {
    await tx.update(users).set({ timeZone: 'America/Montevideo' }).where(eq(users.id, 1))
    await restartDeadlines(tx, 1, NOW)
  })
  await portal.wait(300)
  expect(await portal.fired()).toEqual(['not_arrived 210'])
})

test('an alert does not fire outside its schedule, and sends nothing during its pause', async () => {
  using late = await start()
  await late.watch({ kind: 'button' }, 0, { schedule: { days: [1], from: '10:00', to: '12:00' } })
  await late.say(0, 30, { presses: [fix(0, 30).datetime] })
  await late.say(0, 70, { presses: [fix(0, 70).datetime] })
  expect(await late.fired()).toEqual(['button 70'])
  using paused = await start()
  await paused.watch({ kind: 'button' }, 0, { pause: 60 })
  for (const minutes of [0, 30, 59, 60]) await paused.say(0, minutes, { presses: [fix(0, minutes).datetime] })
  expect(await paused.fired()).toEqual(['button 0', 'button 60'])
})

test('the same rule of two alerts fires together, so that a contact gets one mail', async () => {
  using portal = await start()
  await portal.say(0, 0)
  await portal.watch({ kind: 'silent' })
  await portal.watch({ kind: 'silent' })
  await portal.wait(100)
  expect(await portal.fired()).toEqual(['silent 35'])
  expect(await portal.mails()).toHaveLength(1)
})

test('a rule changes no event of a position, and its event in the live stream names it', async () => {
  using portal = await start()
  await portal.watch({ kind: 'battery', below: 30 })
  await portal.say(0, 0, { battery: 20 })
  expect(portal.heard.filter(({ type }) => type === 'alert').map(({ data }) => JSON.parse(data).type)).toContain('battery')
  expect((await portal.device()).lastEvent).toBe('position')
})

test('a tracker that no rule watches is due for nothing', async () => {
  using portal = await start()
  await portal.say(0, 0)
  await portal.world.db.write('everything', (tx) => tx.update(devices).set({ mode: 1 }))
  expect(await nextDue({ ...portal.world } as never, new Date(0), [ruleDue])).toBeNull()
})
