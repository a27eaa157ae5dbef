import { expect, test } from 'vitest'
import { accounts } from '#db/schema/accounts.ts'
import { createTestWorld } from '#server/tracking/test-world.ts'
import { areDevicesCurrent, isDeviceCurrent, momentOf, writeDevices } from './device-changes.ts'

const change = (id: number, accountId: number) => ({ id, accountId })

test('a transaction that names what it changes leaves the others current', async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  const before = momentOf(db)!
  await writeDevices(db, async (tx, touch) => {
    touch(change(1, 1))
    await tx.insert(accounts).values({ id: 7 })
  })
  expect(momentOf(db)).toBeGreaterThan(before)
  expect([isDeviceCurrent(db, 1, before), isDeviceCurrent(db, 2, before)]).toEqual([false, true])
  expect([1, 2, null].map((account) => areDevicesCurrent(db, account, before))).toEqual([false, true, false])
})

test('a transaction that changes no tracker leaves all current', async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  const before = momentOf(db)!
  await writeDevices(db, (tx) => tx.insert(accounts).values({ id: 7 }))
  expect(momentOf(db)).toBe(before)
})

test('a write that says nothing makes everything out of date', async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  const before = momentOf(db)!
  await db.write((tx) => tx.insert(accounts).values({ id: 7 }))
  expect(momentOf(db)).toBeGreaterThan(before)
  expect([isDeviceCurrent(db, 1, before), areDevicesCurrent(db, 1, before)]).toEqual([false, false])
})

test('a transaction that fails makes everything out of date', async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  const before = momentOf(db)!
  const failing = writeDevices(db, async (tx) => {
    await tx.insert(accounts).values({ id: 7 })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(momentOf(db)).toBeGreaterThan(before)
  expect(isDeviceCurrent(db, 1, before)).toBe(false)
})

test('within a transaction nothing read may be kept', async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  await writeDevices(db, async () => expect(momentOf(db)).toBeNull())
  expect(momentOf(db)).not.toBeNull()
})
