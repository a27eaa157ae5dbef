import { and, eq } from 'drizzle-orm'
import type { OrderStatus } from '#contracts/billing/orders.ts'
import { DEVICE_TYPES, usualBoard } from '#contracts/rules/tracking/tracker.ts'
import { invoices, orders, prices, verificationCodes } from '#db/schema/commerce.ts'
import { stockItems } from '#db/schema/devices.ts'
import { unlinkRequests } from '#db/schema/sharing.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { Scenario, Scene } from './scenario.ts'

const STOCK = 1000
/** Rows of one statement; SQLite limits its parameters. */
const PART = 200
const CODES = 50
const FIRST_ORDER = 1101
const ORDERS = 24
const FIRST_INVOICE = 101
const BUYERS = ['alice', 'bruno', 'erika', 'george', 'usha', 'haruka', 'victor', 'zoe'] as const
/** Days since an order, and its state: the older ones have arrived. */
const stateOf = (index: number): { days: number; status: OrderStatus } =>
  index < 12 ? { days: -index / 4, status: 'in_progress' } : { days: -index / 2, status: index < 18 ? 'shipping' : 'delivered' }

/** A company at its counter. */
export const shop: Scenario = {
  title: 'A company at its counter: a thousand trackers in stock, codes, orders to send, requests to decide, a payment in dispute',
  covers: ['2', '8'],
  routes: ['/operator/*'],
  cast: ['alice', 'bruno', 'dario', 'erika', 'george', 'usha', 'haruka', 'victor', 'zoe'],
  trackers: [
    'rex',
    'familyCar',
    'newTracker',
    'george',
    'usha',
    'erika',
    'harukaDog',
    'zoeCat',
    'victorFree',
    'victorLocked',
    'victorPending',
  ],
  async arrange(scene) {
    await addStock(scene)
    await addCodes(scene)
    await addOrders(scene)
    await addRequests(scene)
    await scene.tx.update(invoices).set({ dispute: 'open' }).where(eq(invoices.id, SEED.invoices.aliceLast))
  },
}

/** Four batches; of the newest one ten trackers are blocked. */
async function addStock({ tx, at }: Scene) {
  const rows = Array.from({ length: STOCK }, (_, index) => {
    const type = DEVICE_TYPES[index % DEVICE_TYPES.length]!
    const batch = Math.floor((index * 4) / STOCK)
    return {
      identifier: String(9_100_000_000 + index),
      serial: `SHOP${String(index).padStart(8, '0')}`,
      type,
      boardName: usualBoard(type),
      includedMonths: 12,
      batch: `2026-0${batch + 1}`,
      addedAt: at({ days: -40 + batch * 10 }),
      blockedAt: index >= STOCK - 10 ? at({ days: -1 }) : null,
    }
  })
  for (let next = 0; next < rows.length; next += PART) await tx.insert(stockItems).values(rows.slice(next, next + PART))
}

/** Codes of a year; the first ten are used. */
const addCodes = ({ tx, at }: Scene) =>
  tx.insert(verificationCodes).values(
    Array.from({ length: CODES }, (_, index) => ({
      code: `SHOP-2026-${String(index).padStart(4, '0')}`,
      months: 12,
      extra: 0,
      deviceId: index < 10 ? SEED.devices.familyCar : null,
      usedAt: index < 10 ? at({ days: -10 + index }) : null,
    })),
  )

/** Paid orders of every buyer in turn, each in the buyer's currency. */
async function addOrders({ tx, at }: Scene) {
  const offered = await tx
    .select()
    .from(prices)
    .where(and(eq(prices.interval, 'year'), eq(prices.type, 'plan')))
  const rows = Array.from({ length: ORDERS }, (_, index) => {
    const buyer = getPersona(BUYERS[index % BUYERS.length]!)
    const { unitAmount, currency } = offered.find((price) => price.currency === buyer.currency) ?? offered[0]!
    const { days, status } = stateOf(index)
    const quantity = 1 + (index % 3)
    const common = {
      accountId: buyer.accountId,
      date: at({ hours: Math.round(days * 24) }),
      currency,
      tax: null,
      lines: [{ label: `1 year – ${buyer.firstName}`, quantity, unit_amount: unitAmount }],
    }
    const [reference, id, total] = [`ORD-${FIRST_ORDER + index}`, FIRST_INVOICE + index, quantity * unitAmount]
    return {
      order: { ...common, reference, status, total, invoiceId: id },
      invoice: { ...common, id, number: `INV-${1000 + id}`, amount: total, balance: 0, status: 'paid' as const, orderReference: reference },
    }
  })
  await tx.insert(orders).values(rows.map(({ order }) => order))
  await tx.insert(invoices).values(rows.map(({ invoice }) => ({ ...invoice, providerId: `in_seed_${invoice.id}` })))
}

/** Besides the seeded one: two that wait, and one that was refused. */
async function addRequests({ tx, at }: Scene) {
  const [dario, zoe] = [getPersona('dario'), getPersona('zoe')]
  const request = { purchasePlace: null, orderReference: null, purchaseDate: null }
  await tx.insert(unlinkRequests).values([
    {
      ...{ ...request, id: SEED.unlinkRequest + 1, identifier: '8000000001', userId: dario.id, email: dario.email },
      ...{ reason: 'gift' as const, message: 'My uncle gave it to me.', status: 'pending' as const, createdAt: at({ hours: -30 }) },
    },
    {
      ...{ ...request, id: SEED.unlinkRequest + 2, identifier: '8000000003', userId: zoe.id, email: zoe.email },
      ...{
        reason: 'other' as const,
        message: 'The number on the back is worn off.',
        status: 'pending' as const,
        createdAt: at({ hours: -5 }),
      },
    },
    {
      ...{ ...request, id: SEED.unlinkRequest + 3, identifier: '8000000001', userId: zoe.id, email: zoe.email },
      ...{ reason: 'bought_used' as const, message: null, status: 'refused' as const, createdAt: at({ days: -12 }) },
      ...{ decidedAt: at({ days: -11 }), decidedBy: 'Hugo Helper', refusal: 'The owner still uses it.' },
    },
  ])
}
