import { afterAll, describe, expect, test } from 'vitest'
import { devices } from '#db/schema/devices.ts'
import { getPersona, PERSONAS } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openTestDb } from '#server/test/test-database.ts'
import { devicesOf, findDevice, type Viewer } from './scope.ts'

const db = await openTestDb('family')
afterAll(() => db.close())

const all = await db.read.select({ id: devices.id, accountId: devices.accountId }).from(devices)
const viewer = (key: string): Viewer => {
  const { id, accountId, role } = getPersona(key)
  return { userId: id, accountId, role }
}
const seen = async (who: Viewer) => {
  const rows = await db.read.select({ id: devices.id }).from(devices).where(devicesOf(db.read, who))
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}
const { proVan, proTruck, proPlane, rex } = SEED.devices

describe('D-01 the trackers in sight', () => {
  test.each(PERSONAS.filter(({ role }) => role === 'user').map(({ key }) => key))('%s sees those of the own account', async (key) => {
    const mine = all.filter(({ accountId }) => accountId === getPersona(key).accountId).map(({ id }) => id)
    expect(await seen(viewer(key))).toEqual(mine.sort((a, b) => a - b))
  })

  test('the administrator sees all of the pro account', async () => {
    expect(await seen(viewer('admin'))).toEqual([21, 22, 23, 24, 25, 26])
  })

  test("a member sees the trackers in the team's list", async () => {
    expect(await seen(viewer('member'))).toEqual([proVan, proTruck])
  })

  test('support sees every tracker', async () => expect(await seen(viewer('support'))).toHaveLength(all.length))

  test('a member without a list sees no tracker', async () => {
    expect(await seen({ ...viewer('member'), userId: SEED.users.withoutDevices })).toEqual([])
  })

  test('a team list gives access only to trackers of its own account', async () => {
    expect(await seen({ ...viewer('member'), accountId: getPersona('alice').accountId })).toEqual([])
  })
})

describe('R-6.9 one tracker', () => {
  test.each([
    ['alice', rex, true],
    ['alice', proVan, false],
    ['bruno', rex, false],
    ['admin', proPlane, true],
    ['admin', rex, false],
    ['member', proVan, true],
    ['member', proPlane, false],
    ['support', rex, true],
    ['support', 999, false],
    ['alice', 999, false],
  ] as const)('%s requests tracker %i: found is %s', async (key, id, isFound) => {
    expect((await findDevice(db.read, viewer(key), id))?.id).toBe(isFound ? id : undefined)
  })
})
