import { expect, test } from 'vitest'
import { accounts } from '#db/schema/accounts.ts'
import { openTestDb } from '#server/test/test-database.ts'
import { findAccountOwner, findAccountOwners } from './people.ts'

test('the owners of many accounts are those that each account has on its own, also for teams', async () => {
  const db = await openTestDb('family')
  const ids = (await db.read.select({ id: accounts.id }).from(accounts)).map(({ id }) => id)
  const owners = await findAccountOwners(db.read, [...ids, ...ids, 999_999])
  const single = await Promise.all(ids.map(async (id) => [id, (await findAccountOwner(db.read, id))?.email]))
  expect([...owners].map(([id, { email }]) => [id, email]).sort()).toEqual(single.filter(([, email]) => email !== undefined).sort())
  await db.close()
})
