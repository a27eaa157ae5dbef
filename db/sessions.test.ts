import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '#db/db.ts'
import { tokens, users } from '#db/schema/accounts.ts'
import { deviceKeys, devices } from '#db/schema/devices.ts'
import { DEVICE_KEY, sha256 } from '#server/mock/seed/records/seed-secrets.ts'
import { ANCHOR, at } from '#server/mock/seed/testing.ts'
import { openTestDb } from '#server/test/test-database.ts'
import { findViewer } from './scope.ts'
import { findDeviceKey, markSeen, markUsed } from './sessions.ts'
import { forgetTries, readTries, setTries } from './throttle.ts'

let db: Db
beforeEach(async () => {
  db = await openTestDb('family')
  await db.write('everything', (tx) =>
    tx.insert(tokens).values([
      { hash: 'of-alice', userId: 1, createdAt: ANCHOR, lastSeenAt: ANCHOR, expiresAt: at({ days: 30 }) },
      { hash: 'of-member', userId: 14, createdAt: ANCHOR, lastSeenAt: ANCHOR, expiresAt: at({ minutes: 1 }) },
    ]),
  )
})
afterEach(() => db.close())

describe('whose session it is', () => {
  test('a session is found by the hash of its token, with account, role and address', async () => {
    expect(await findViewer(db.read, 'of-alice', ANCHOR)).toEqual({
      userId: 1,
      accountId: 1,
      role: 'user',
      email: 'alice@example.com',
      lastSeenAt: ANCHOR,
    })
    expect(await findViewer(db.read, 'of-member', ANCHOR)).toEqual({
      userId: 14,
      accountId: 13,
      role: 'pro',
      email: 'member@pro.example.com',
      lastSeenAt: ANCHOR,
    })
  })

  test('an unknown token belongs to no session', async () => {
    for (const hash of ['', 'OF-ALICE', 'of-alice ', "' or 1 = 1 --"]) expect(await findViewer(db.read, hash, ANCHOR)).toBeUndefined()
  })

  test('a session that was not used for 14 days has expired, and using it postpones that', async () => {
    expect(await findViewer(db.read, 'of-alice', at({ days: 13 }))).toBeDefined()
    expect(await findViewer(db.read, 'of-alice', at({ days: 14 }))).toBeUndefined()
    await db.write('everything', (tx) => markSeen(tx, 'of-alice', at({ days: 13 })))
    expect(await findViewer(db.read, 'of-alice', at({ days: 26 }))).toBeDefined()
  })

  test('D-36 a session ends at the instant its token expires', async () => {
    expect(await findViewer(db.read, 'of-member', at({ seconds: 59 }))).toBeDefined()
    expect(await findViewer(db.read, 'of-member', at({ minutes: 1 }))).toBeUndefined()
  })

  test('a session ends with its user', async () => {
    await db.write('everything', (tx) => tx.delete(users).where(eq(users.id, 14)))
    expect(await findViewer(db.read, 'of-member', ANCHOR)).toBeUndefined()
    expect((await db.read.select().from(tokens)).map(({ userId }) => userId)).toEqual([1, 1])
  })

  test('a session follows a change of role at once', async () => {
    await findViewer(db.read, 'of-alice', ANCHOR)
    await db.write('everything', (tx) => tx.update(users).set({ role: 'admin' }).where(eq(users.id, 1)))
    expect(await findViewer(db.read, 'of-alice', ANCHOR)).toMatchObject({ role: 'admin' })
  })

  test('a session is looked up in each database separately', async () => {
    const other = await openTestDb('family')
    expect(await findViewer(other.read, 'of-alice', ANCHOR)).toBeUndefined()
    expect(await findViewer(db.read, 'of-alice', ANCHOR)).toBeDefined()
    other.close()
  })
})

describe('keys of devices', () => {
  test('device keys are found by their hash only', async () => {
    expect(await findDeviceKey(db.read, sha256(DEVICE_KEY))).toMatchObject({ deviceId: null, lastUsedAt: null })
    for (const key of [DEVICE_KEY, sha256(`${DEVICE_KEY} `)]) expect(await findDeviceKey(db.read, key)).toBeUndefined()
  })

  test('a device key identifies its tracker and its last use, and ends with the tracker', async () => {
    await db.write('everything', (tx) => tx.insert(deviceKeys).values({ id: 77, hash: 'of-rex', label: 'Phone', deviceId: 1 }))
    await db.write('everything', (tx) => markUsed(tx, 77, ANCHOR))
    expect(await findDeviceKey(db.read, 'of-rex')).toEqual({ keyId: 77, deviceId: 1, lastUsedAt: ANCHOR })
    await db.write('everything', (tx) => tx.delete(devices).where(eq(devices.id, 1)))
    expect(await findDeviceKey(db.read, 'of-rex')).toBeUndefined()
  })
})

describe('how often something was tried', () => {
  const tries = (key: string, minutes: number) => db.write('everything', (tx) => readTries(tx, key, at({ minutes })))
  const set = (key: string, count: number, minutes: number) =>
    db.write('everything', (tx) => setTries(tx, { key, count, resetsAt: at({ minutes }) }))

  test('a key that was never tried has no counter', async () => expect(await tries('login:ana', 0)).toBeUndefined())

  test('attempts are counted within a fixed window', async () => {
    await set('login:ana', 1, 15)
    await set('login:ana', 2, 99)
    expect(await tries('login:ana', 14)).toEqual({ key: 'login:ana', count: 2, resetsAt: at({ minutes: 15 }) })
  })

  test('attempts are forgotten at the end of the window', async () => {
    await set('login:ana', 9, 15)
    expect(await tries('login:ana', 15)).toBeUndefined()
  })

  test('attempts are counted for each key separately', async () => {
    await set('login:ana', 9, 15)
    await set('login:bob', 1, 30)
    expect(await tries('login:bob', 20)).toMatchObject({ count: 1 })
    await set('login:ana', 3, 40)
    await db.write('everything', (tx) => forgetTries(tx, 'login:ana'))
    expect(await tries('login:ana', 20)).toBeUndefined()
    expect(await tries('login:bob', 20)).toMatchObject({ count: 1 })
  })
})
