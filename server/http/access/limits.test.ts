import { describe, expect, test } from 'vitest'
import { throttles } from '#db/schema/accounts.ts'
import { forgetTries } from '#db/throttle.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { countAttempt } from './limits.ts'

const LIMIT = { max: 2, windowMinutes: 15 }
const at = (time: string) => new Date(`2026-03-02T${time}Z`)

describe('countTry', () => {
  test('the window starts with the first attempt and is not extended by later ones', async () => {
    await using portal = await startPortal()
    const { db } = portal.world
    const tryAt = (time: string, key = 'a') => db.write('everything', (tx) => countAttempt(tx, key, LIMIT, at(time)))
    await tryAt('09:00:00')
    await tryAt('09:14:00')
    await expect(tryAt('09:14:59')).rejects.toMatchObject({ code: 'throttled' })
    await tryAt('09:14:59', 'b')
    await tryAt('09:15:00')
    await tryAt('09:15:00')
    await expect(tryAt('09:29:59')).rejects.toMatchObject({ code: 'throttled' })
  })

  test('cleared attempts do not count, and expired windows leave no row', async () => {
    await using portal = await startPortal()
    const { db } = portal.world
    await db.write('everything', (tx) => countAttempt(tx, 'a', LIMIT, at('09:00:00')))
    await db.write('everything', (tx) => countAttempt(tx, 'a', LIMIT, at('09:00:00')))
    await db.write('everything', (tx) => forgetTries(tx, 'a'))
    await db.write('everything', (tx) => countAttempt(tx, 'a', LIMIT, at('09:00:00')))
    await db.write('everything', (tx) => countAttempt(tx, 'b', LIMIT, at('10:00:00')))
    expect((await db.read.select().from(throttles)).map(({ key, count }) => [key, count])).toEqual([['b', 1]])
  })
})
