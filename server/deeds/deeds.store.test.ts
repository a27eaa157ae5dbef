import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '#db/schema/accounts.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { listDeeds } from './deeds.store.ts'
import { doDeed, PROGRAM } from './do-deed.ts'

const ZOE = 'zoe@example.com'

test('the log keeps who did what to an erased account, and nothing about the account', async () => {
  await using portal = await startPortal()
  const { db } = portal.world
  const [zoe] = await db.read.select().from(users).where(eq(users.email, ZOE))
  const { accountId } = zoe!
  await doDeed({ ...portal.world, actor: PROGRAM }, [], async () => ({
    deed: { kind: 'staff_changed', subject: ZOE, accountId, detail: { name: 'Zoe' } },
    response: {},
  }))
  expect(await listDeeds(db.read, { accountId }, 10)).toMatchObject([{ subject: ZOE }])
  expect((await portal.call(ZOE, 'DELETE', '/users/me/?profile=all')).status).toBe(200)
  expect(await listDeeds(db.read, {}, 10)).toMatchObject([
    { kind: 'staff_changed', who: 'operator.js', subject: 'erased account', accountId: null, detail: {} },
  ])
})
