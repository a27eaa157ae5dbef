import * as z from 'zod/mini'
import type { Tx } from '#db/db.ts'
import { readCursor, removeCursor, saveCursor } from '#server/billing/records/payment-cursors.store.ts'
import { insertEvents } from '#server/billing/records/payments.store.ts'
import { runExclusive } from '#server/billing/records/run-exclusive.ts'
import { isMissing } from '#server/ports/payments.ts'
import type { PaymentPorts } from './sync-customer.ts'

const PAGE_SIZE = 100

const Walk = z.object({ startedAt: z.string(), after: z.nullable(z.string()) })

/** Begins an iteration over all customers of Stripe, newest first; a running one starts again. */
export const startWalk = (tx: Tx, now: Date) => saveCursor(tx, 'customers', JSON.stringify({ startedAt: now.toISOString(), after: null }))

/**
 * Puts the next customers of the iteration into the inbox, where each waits until it is synced. Returns their number; null when no
 * iteration is running. It continues after a restart of the server.
 */
export const continueWalk = (ports: PaymentPorts) =>
  runExclusive(ports.db, 'walk', async (fence) => {
    const { db, clock, payments } = ports
    const saved = await readCursor(db.read, 'customers')
    if (saved === null) return null
    const { startedAt, after } = Walk.parse(JSON.parse(saved))
    const { data, has_more } = await listCustomers(payments.stripe, after)
    const last = data.at(-1)
    await db.write([], async (tx) => {
      await fence(tx)
      const rows = data.map(({ id }) => ({ id: `walk ${startedAt} ${id}`, type: 'walk', customer: id, charge: null }))
      await insertEvents(tx, rows, clock.now())
      if (has_more && last) await saveCursor(tx, 'customers', JSON.stringify({ startedAt, after: last.id }))
      else await removeCursor(tx, 'customers')
    })
    return data.length
  })

/** Stripe cannot continue after a customer deleted meanwhile, so the iteration starts again. */
async function listCustomers({ customers }: PaymentPorts['payments']['stripe'], after: string | null) {
  try {
    return await customers.list({ limit: PAGE_SIZE, ...(after !== null && { starting_after: after }) })
  } catch (error) {
    if (!isMissing(error) || after === null) throw error
    return customers.list({ limit: PAGE_SIZE })
  }
}
