import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { runExclusive } from './run-exclusive.ts'

test('work on one customer runs in turn, even after a failure, and work on another one waits for neither', async () => {
  await using portal = await startPortal()
  const { db } = portal.world
  const events: string[] = []
  const signals = new EventEmitter()
  const begun = once(signals, 'begun')
  const failing = runExclusive(db, 'cus_ada', async () => {
    events.push('first begins')
    signals.emit('begun')
    await once(signals, 'failure')
    events.push('first fails')
    throw new Error('Stripe is down')
  })
  await begun
  const second = runExclusive(db, 'cus_ada', async () => events.push('second'))
  await runExclusive(db, 'cus_bob', async () => events.push('other'))
  signals.emit('failure')
  await expect(failing).rejects.toThrow('Stripe is down')
  await second
  expect(events).toEqual(['first begins', 'other', 'first fails', 'second'])
})
