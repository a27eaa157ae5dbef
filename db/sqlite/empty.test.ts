import { expect, test } from 'vitest'
import { accounts } from '#db/schema/accounts.ts'
import { openEmpty } from './empty.ts'

test('an empty database has the newest schema and no row of another one', async () => {
  const [first, second] = [openEmpty(), openEmpty()]
  await first.write('everything', async (tx) => void (await tx.insert(accounts).values({ id: 1 })))
  const later = openEmpty()
  for (const db of [second, later]) {
    expect(await db.isReady()).toBe(true)
    expect(await db.read.select().from(accounts)).toEqual([])
  }
  expect(await first.read.select().from(accounts)).toHaveLength(1)
  for (const db of [first, second, later]) await db.close()
})
