import { describe, expect, test } from 'vitest'
import { POSITION_MARKS } from '#contracts/rules/history/filter.ts'
import { type PositionRow, toFixed7 } from '#db/positions.ts'
import { alertDevices, alerts, places } from '#db/schema/places.ts'
import { latePeriods, trackingStates } from '#db/schema/positions.ts'
import { nextDue, runDue } from '#server/jobs/run-jobs.ts'
import { markAgain } from '#server/jobs/summarize-days.ts'
import { ingest } from '#server/tracking/ingest/ingest.ts'
import { createTestWorld, fix, HOME, NOW } from '#server/tracking/test-world.ts'

type Portal = Awaited<ReturnType<typeof createTestWorld>>

/** Sends a fix each, `metres` north of home and so many minutes after the start. */
async function sendEach(portal: Portal, fixes: [metres: number, minutes: number][]) {
  for (const [metres, minutes] of fixes) await portal.say(metres, minutes)
}

/** The stored fixes as metres north of home with their mark. */
async function readMarks({ world: { db } }: Portal) {
  const rows = await db.positions.range(1, 0, 2 ** 32, 1000, 0)
  return rows.map((row: PositionRow) => [Math.round((row.lat / 1e7 + 34.9) * 111_195), row.mark === null ? null : POSITION_MARKS[row.mark]])
}

const metresOf = async (portal: Portal) => Math.round(((await portal.device()).lat! / 1e7 + 34.9) * 111_195)

/** Half an hour at home, a minute apart. */
const HOME_STAY = Array.from({ length: 30 }, (_, minute): [number, number] => [minute % 3, minute])

describe('marks of fixes', () => {
  test('D-40 a jump is stored with its mark, and moves neither the tracker nor the live map', async () => {
    using portal = await createTestWorld()
    await sendEach(portal, HOME_STAY)
    portal.heard.length = 0
    await portal.say(40_000, 30)
    expect((await readMarks(portal)).at(-1)).toEqual([40_000, 'jump'])
    expect(await metresOf(portal)).toBeLessThan(5)
    expect(portal.heard.map(({ type }) => type)).toEqual(['status'])
    await portal.say(2, 31)
    expect((await readMarks(portal)).filter(([, mark]) => mark !== null)).toEqual([[40_000, 'jump']])
    expect(portal.heard.map(({ type }) => type)).toEqual(['status', 'position'])
  })

  test('D-40 a new place that is reported repeatedly is believed: earlier marks are removed and the tracker moves there', async () => {
    using portal = await createTestWorld()
    await sendEach(portal, HOME_STAY)
    await sendEach(
      portal,
      [1, 2, 3, 4, 5, 6, 7, 8].map((minute) => [400_000 + minute, 29 + minute]),
    )
    expect((await readMarks(portal)).filter(([, mark]) => mark !== null)).toEqual([])
    expect(await metresOf(portal)).toBe(400_008)
  })

  test('the marks do not depend on how the fixes are grouped into messages', async () => {
    const fixes = [...HOME_STAY, [40_000, 30], [40_010, 30.2], [3, 31], [400_000, 32], [400_100, 33], [400_200, 34], [400_200, 39]] as const
    const marks = await Promise.all(
      [1, 2, 5, 50].map(async (size) => {
        using portal = await createTestWorld()
        portal.at(60)
        for (let first = 0; first < fixes.length; first += size) {
          const positions = fixes.slice(first, first + size).map(([metres, minutes]) => fix(metres, minutes))
          await ingest(portal.world, { identifier: '1000000001', positions })
        }
        return { marks: await readMarks(portal), at: await metresOf(portal) }
      }),
    )
    expect(marks[0]!.marks.filter(([, mark]) => mark !== null).length).toBeGreaterThan(0)
    for (const each of marks) expect(each).toEqual(marks[0])
  })

  test('0 degrees north, 0 degrees east is marked, and its event still counts', async () => {
    using portal = await createTestWorld()
    await sendEach(portal, HOME_STAY)
    await portal.say(0, 30, { positions: [{ ...fix(0, 30), lat: 0, lng: 0, event: 'button' }] })
    expect((await readMarks(portal)).at(-1)?.[1]).toBe('zero')
    expect(await portal.device()).toMatchObject({ lastEvent: 'button', positionAt: new Date(NOW.getTime() + 29 * 60_000) })
  })

  test('one state of bounded size is saved per tracker', async () => {
    using portal = await createTestWorld()
    await sendEach(portal, [
      ...HOME_STAY,
      ...HOME_STAY.map(([metres, minute]): [number, number] => [metres + 50_000 * (minute % 7), 30 + minute]),
    ])
    const states = await portal.world.db.read.select().from(trackingStates)
    expect(states).toHaveLength(1)
    expect(states[0]!.state.length).toBeLessThan(8000)
  })
})

describe('fixes that arrive late', () => {
  test('D-40 a fix that arrives late is marked an hour later, with the fixes around it', async () => {
    using portal = await createTestWorld()
    await sendEach(portal, HOME_STAY)
    const late = { positions: [{ ...fix(30_000, 10), datetime: fix(0, 10.5).datetime }] }
    await portal.say(0, 31, late)
    expect((await readMarks(portal)).filter(([metres]) => metres === 30_000)).toEqual([[30_000, null]])
    const { world } = portal
    const due = await nextDue(world, NOW, [markAgain])
    expect(due).toEqual(new Date('2026-03-02T13:00:00Z'))
    const quiet = { error: (about: object) => expect(about).toBeUndefined(), info() {}, warn() {} }
    const fired = await runDue({ ...world, log: quiet, productName: '', payments: { isLive: false } }, due!, { jobs: [markAgain] })
    expect(fired.map(({ kind, ref }) => [kind, ref])).toEqual([['mark_again', 'devices/1/2026-03-02T06:00:00Z']])
    expect((await readMarks(portal)).filter(([, mark]) => mark !== null)).toEqual([[30_000, 'jump']])
    expect(await world.db.read.select().from(latePeriods)).toEqual([])
  })

  test('a message that is sent again changes no marks', async () => {
    using portal = await createTestWorld()
    await sendEach(portal, HOME_STAY.slice(0, 5))
    await portal.say(0, 3)
    expect(await portal.world.db.read.select().from(latePeriods)).toEqual([])
  })
})

test('D-41 a crossing of more than two days ago changes the side of the border and is not mailed', async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  await db.write('everything', async (tx) => {
    const [lat, lng] = [toFixed7(HOME.lat), toFixed7(HOME.lng)]
    await tx.insert(places).values({ id: 1, accountId: 1, name: 'Home', address: 'Street 1', type: 'home', radius: 200, lat, lng })
    await tx.insert(alerts).values({ id: 1, accountId: 1, placeId: 1, trigger: 'leave' })
    await tx.insert(alertDevices).values({ alertId: 1, deviceId: 1 })
  })
  await portal.say(0, 3 * 24 * 60, { positions: [fix(0, 0), fix(0, 10), fix(900, 20)] })
  const alarms = () => portal.heard.filter(({ type }) => type === 'alert')
  expect(alarms()).toEqual([])
  await portal.say(0, 3 * 24 * 60 + 20)
  await portal.say(900, 3 * 24 * 60 + 40)
  expect(alarms()).toHaveLength(1)
})
