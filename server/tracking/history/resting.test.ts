import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import { devices } from '#db/schema/devices.ts'
import type { DeviceRow } from '#db/scope.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const { rex } = SEED.devices
/** In the middle of a day. */
const RESTS_AT = new Date('2026-02-27T15:00:00Z')
const ENDED: Partial<DeviceRow> = { subState: 'ended', subEndDate: new Date(RESTS_AT.getTime() - 14 * DAY_MS) }
const RENEWED: Partial<DeviceRow> = { subState: 'active', subEndDate: new Date('2027-03-02T09:00:00Z') }

async function start() {
  const portal = await startPortal()
  const read = async (path: string) => (await portal.call(ALICE, 'GET', `/devices/${rex}/${path}`)).body
  return {
    change: (values: Partial<DeviceRow>) =>
      portal.world.db.write('everything', (tx) => tx.update(devices).set(values).where(eq(devices.id, rex))),
    readDays: async () =>
      (await read('days/?from=2026-02-24&to=2026-03-02&tz=UTC')).days as { day: string; last: string; positions: number }[],
    readHistory: () => read('tracker_data/?not_before=2026-02-25T00:00:00Z&not_after=2026-03-02T09:00:00Z'),
    readBorders: (at: string) => read(`days/borders/?not_before=${at}`),
    [Symbol.asyncDispose]: portal[Symbol.asyncDispose],
  }
}

test('the history of a resting tracker ends where its rest begins, and is whole again after the renewal', async () => {
  await using portal = await start()
  const whole = await portal.readHistory()
  await portal.change(ENDED)
  const { count, results } = await portal.readHistory()
  expect(count).toBeGreaterThan(0)
  expect(count).toBeLessThan(whole.count)
  for (const { datetime } of results) expect(datetime < formatInstant(RESTS_AT)).toBe(true)
  await portal.change(RENEWED)
  expect(await portal.readHistory()).toEqual(whole)
})

test('the totals of the day on which a rest begins end there, and are those of the whole day after the renewal', async () => {
  await using portal = await start()
  await portal.change(ENDED)
  const resting = await portal.readDays()
  expect(resting.at(-1)).toMatchObject({ day: '2026-02-27' })
  expect(resting.at(-1)!.last < formatInstant(RESTS_AT)).toBe(true)
  await portal.change(RENEWED)
  const whole = await portal.readDays()
  expect(whole.at(-1)!.day).toBe('2026-03-02')
  expect(whole.find(({ day }) => day === '2026-02-27')!.positions).toBeGreaterThan(resting.at(-1)!.positions)
  expect(whole.filter(({ day }) => day < '2026-02-27')).toEqual(resting.slice(0, -1))
  await portal.change(ENDED)
  expect(await portal.readDays()).toEqual(resting)
})

test('where a resting tracker was after the beginning of its rest is unknown', async () => {
  await using portal = await start()
  const later = '2026-02-28T12:00:10Z'
  expect(await portal.readBorders(later)).toMatchObject({ start: { datetime: later } })
  await portal.change(ENDED)
  expect(await portal.readBorders(later)).toEqual({ start: null, end: null })
})
