import { expect, test } from 'vitest'
import { isForPortal } from '#server/mock/payments/deliver-events.ts'
import { openStored, queryRows, queryValue } from '#server/test/test-database.ts'
import { BUYER, openCheckout, openPaymentWorld, payCheckout, serveProvider } from '#server/test/test-payments-world.ts'
import { runUntilEnd } from '#server/test/test-process.ts'
import { receiveEvent } from './webhook.ts'

/** Drains the inbox in a child process and resolves to its signal or exit code. */
const work = (address: string, port: number, commits: number) =>
  runUntilEnd('server/test/test-entry-payments-crash.ts', [address, String(port), String(commits)])

test('a process killed between the webhook and its effects loses nothing and repeats nothing', async () => {
  await using stored = await openStored()
  const { db, address } = stored
  const world = await openPaymentWorld(db)
  const checkout = await openCheckout(world)
  payCheckout(world, checkout, '4242 4242 4242 4242')
  const hear = async () => {
    for (const event of world.stripe.events.filter(isForPortal)) {
      const { payload, signature } = world.stripe.sign(event)
      await receiveEvent(world, payload, signature)
    }
  }
  const count = async (from: string) => Number(await queryValue(db, `select count(*) from ${from}`))
  const state = async () => [
    await count(`subscriptions where device_id = ${BUYER.device} and status = 'active'`),
    await count(`orders where account_id = ${BUYER.accountId}`),
    await count('payment_events where handled_at is null'),
  ]
  const provider = await serveProvider(world.stripe)
  await hear()
  const heard = world.stripe.events.filter(isForPortal).length
  expect(await state()).toEqual([0, 0, heard])
  expect(await work(address, provider.port, 0)).toBe('SIGKILL')
  expect(await state()).toEqual([0, 0, heard])
  // The lease of the killed process ends.
  if (db.isShared) await queryRows(db, 'update leases set until = clock_timestamp()')
  expect(await work(address, provider.port, 9)).toBe(0)
  expect(await state()).toEqual([1, 1, 0])
  await hear()
  expect(await work(address, provider.port, 9)).toBe(0)
  expect(await state()).toEqual([1, 1, 0])
  provider.close()
})
