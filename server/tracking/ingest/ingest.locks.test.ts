import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { devices } from '#db/schema/devices.ts'
import { createTestWorld, fix } from '#server/tracking/test-world.ts'
import { ingest } from './ingest.ts'

test('while an account is locked, only its messages wait, and they keep their order', async () => {
  using portal = await createTestWorld()
  for (const id of [2, 3]) await portal.add(id)
  await portal.world.db.write('everything', (tx) => tx.update(devices).set({ accountId: 2 }).where(eq(devices.id, 3)))
  const done: string[] = []
  const send = async (id: number, minutes: number) => {
    await ingest(portal.world, { identifier: String(1_000_000_000 + id), positions: [fix(0, minutes - 10)] })
    done.push(`${id} at ${minutes}`)
  }
  let unlock = () => {}
  const held = new Promise<void>((resolve) => {
    unlock = resolve
  })
  const lock = portal.world.db.write(['account:1'], () => held)
  const waiting = [send(1, 1), send(2, 1)]
  await send(3, 1)
  waiting.push(send(1, 2), send(1, 3))
  await send(3, 2)
  expect(done).toEqual(['3 at 1', '3 at 2'])
  unlock()
  await Promise.all([lock, ...waiting])
  expect(done.filter((each) => each.startsWith('1'))).toEqual(['1 at 1', '1 at 2', '1 at 3'])
})
