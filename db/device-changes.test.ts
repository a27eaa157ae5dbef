import { expect, test } from 'vitest'
import { accounts } from '#db/schema/accounts.ts'
import { createTestWorld } from '#server/tracking/test-world.ts'
import { touch, writeDevices } from './device-changes.ts'

const change = (id: number, accountId: number) => ({ id, accountId })

test('a transaction that names the trackers it changes leaves the others current', async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  const before = db.changes.moment()!
  await writeDevices(db, 'everything', async (tx) => {
    touch(tx, change(1, 1))
    await tx.insert(accounts).values({ id: 7 })
  })
  expect(db.changes.moment()).toBeGreaterThan(before)
  expect([db.changes.isDeviceCurrent(1, before), db.changes.isDeviceCurrent(2, before)]).toEqual([false, true])
  expect([1, 2, null].map((account) => db.changes.areDevicesCurrent(account, before))).toEqual([false, true, false])
})

test('a transaction that names no tracker leaves all current', async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  const before = db.changes.moment()!
  await writeDevices(db, 'everything', (tx) => tx.insert(accounts).values({ id: 7 }))
  expect(db.changes.moment()).toBe(before)
})

test('a write that names no trackers makes all outdated', async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  const before = db.changes.moment()!
  await db.write('everything', (tx) => tx.insert(accounts).values({ id: 7 }))
  expect(db.changes.moment()).toBeGreaterThan(before)
  expect([db.changes.isDeviceCurrent(1, before), db.changes.areDevicesCurrent(1, before)]).toEqual([false, false])
})

test('a transaction that is rolled back leaves all current', async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  const before = db.changes.moment()!
  const failing = db.write('everything', async (tx) => {
    await tx.insert(accounts).values({ id: 7 })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(db.changes.moment()).toBe(before)
})

test('a transaction that changes no row leaves all current', async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  const before = db.changes.moment()!
  await db.write('everything', (tx) => tx.select().from(accounts))
  expect(db.changes.moment()).toBe(before)
})

test('nothing read while a transaction is open may be cached', async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  await writeDevices(db, 'everything', async () => expect(db.changes.moment()).toBeNull())
  expect(db.changes.moment()).not.toBeNull()
})

test('the changed trackers of an account are listed, unless a write did not name them', async () => {
  using portal = await createTestWorld()
  const { changes } = portal.world.db
  const before = changes.moment()!
  changes.mark([change(1, 1), change(2, 1), change(3, 2)])
  const between = changes.moment()!
  changes.mark([change(2, 1)])
  expect(changes.listChangedDevices(1, before)).toEqual([1, 2])
  expect(changes.listChangedDevices(1, between)).toEqual([2])
  expect(changes.listChangedDevices(2, between)).toEqual([])
  expect(changes.listChangedDevices(7, before)).toEqual([])
  changes.markAll()
  expect(changes.listChangedDevices(1, between)).toBe(null)
})
