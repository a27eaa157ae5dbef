import { eq } from 'drizzle-orm'
import type { OrderStatus } from '#contracts/billing/orders.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { DEVICE_TYPES, usualBoard } from '#contracts/rules/tracking/tracker.ts'
import { invoices, orders, prices, verificationCodes } from '#db/schema/commerce.ts'
import { stockItems } from '#db/schema/devices.ts'
import { careClaims } from '#db/schema/returns.ts'
import { unlinkRequests } from '#db/schema/sharing.ts'
import { codeBatches, priceChanges } from '#db/schema/staff.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { Scenario, Scene } from './scenario.ts'

const STOCK = 1000
/** Rows of one statement; SQLite limits its parameters. */
const PART = 200
const CODES = 50
const FIRST_ORDER = 1101
const ORDERS = 21
const FIRST_INVOICE = 101
const CODE_BATCH = 1
const FIRST_CLAIM = 101
/** Each with the tracker that is replaced, its name, and where the replacement goes. */
const BUYERS = [
  ['alice', SEED.devices.rex, 'Rex', 'Alice Almeida\nRambla 1\n11300 Montevideo\nUruguay'],
  ['erika', SEED.devices.erika, 'Velo', 'Erika Egger\nSeestrasse 12\n8002 Zürich\nSchweiz'],
  ['george', SEED.devices.george, 'Land Rover', 'George Gardner\n4 Mill Lane\nYork YO1 7HH\nUnited Kingdom'],
  ['usha', SEED.devices.usha, 'Scooter', 'Usha Upadhyay\n77 Pine Street\nSeattle, WA 98101\nUSA'],
  ['haruka', SEED.devices.harukaDog, 'ポチ', '山田 春香\n神宮前 1-2-3\n東京都渋谷区 150-0001\n日本'],
  ['victor', SEED.devices.victorFree, 'Moto', 'Víctor Vega\nCalle Mayor 5\n28013 Madrid\nEspaña'],
  ['zoe', SEED.devices.zoeCat, 'Katten', 'Zoe Zetterberg\nStorgatan 3\n111 51 Stockholm\nSverige'],
] as const
/** Days since an order, and its state: one of each buyer waits, the older ones are on their way or have arrived. */
const stateOf = (index: number): { days: number; status: OrderStatus } => {
  if (index < BUYERS.length) return { days: -index / 4, status: 'in_progress' }
  return { days: -index, status: index < 2 * BUYERS.length ? 'shipping' : 'delivered' }
}

/** A company at its counter. */
export const shop: Scenario = {
  title: 'A company at its counter: a thousand trackers in stock, codes, replacements to send, requests to decide, a payment in dispute',
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
    await addComingPrice(scene)
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

/** A print run of codes of a year; the first ten are used. */
async function addCodes({ tx, at }: Scene) {
  const plan = { months: 12, extra: 0 }
  const batch = { ...plan, id: CODE_BATCH, name: 'Spring boxes', priceId: 'eur-12m', count: CODES, createdAt: at({ days: -20 }) }
  await tx.insert(codeBatches).values({ ...batch, endsAt: null, createdBy: 'Clara Clerk' })
  await tx.insert(verificationCodes).values(
    Array.from({ length: CODES }, (_, index) => ({
      ...plan,
      code: `SHOP-2026-${String(index).padStart(4, '0')}`,
      batchId: CODE_BATCH,
      deviceId: index < 10 ? SEED.devices.familyCar : null,
      usedAt: index < 10 ? at({ days: -10 + index }) : null,
    })),
  )
}

/** Replacements that care plans pay in part, for every buyer in turn and in their currency. */
async function addOrders({ tx, at }: Scene) {
  const replacements = await tx.select().from(prices).where(eq(prices.type, 'tracker'))
  const rows = Array.from({ length: ORDERS }, (_, index) => {
    const [key, deviceId, name, delivery] = BUYERS[index % BUYERS.length]!
    const buyer = getPersona(key)
    const { unitAmount, currency } = replacements.find((price) => price.currency === buyer.currency)!
    const { days, status } = stateOf(index)
    const date = at({ hours: Math.round(days * 24) })
    const total = Math.round(unitAmount / 2)
    const lines = [{ label: `replacement – ${name}`, quantity: 1, unit_amount: total }]
    const common = { accountId: buyer.accountId, date, currency, tax: null, lines }
    const [reference, id] = [`ORD-${FIRST_ORDER + index}`, FIRST_INVOICE + index]
    const shipped = status !== 'in_progress' && {
      carrier: 'DHL',
      tracking: `00340434${reference.slice(4)}`,
      shippedAt: at({ days: days + 1 }),
    }
    const paid = { number: `INV-${1000 + id}`, amount: total, balance: 0, status: 'paid' as const, providerId: `in_seed_${id}` }
    return {
      order: {
        ...common,
        ...shipped,
        reference,
        status,
        delivery,
        total,
        invoiceId: id,
        ...(status === 'delivered' && { deliveredAt: at({ days: days + 3 }) }),
      },
      invoice: { ...common, ...paid, id, orderReference: reference },
      claim: {
        ...{ id: FIRST_CLAIM + BUYERS.length - 1 - index, deviceId, delivery, orderReference: reference, createdAt: date },
        ...{ reason: 'lost' as const, description: 'It was gone after a storm.', status: 'ordered' as const },
      },
    }
  })
  await tx.insert(orders).values(rows.map(({ order }) => order))
  await tx.insert(invoices).values(rows.map(({ invoice }) => invoice))
  // A tracker has one claim at most.
  await tx.insert(careClaims).values(rows.slice(0, BUYERS.length).map(({ claim }) => claim))
}

/** A year costs more in two months, also for running renewals. */
async function addComingPrice({ tx, at }: Scene) {
  const day = at({ days: 60 }).getTime()
  const startsAt = new Date(day - (day % DAY_MS))
  await tx.insert(priceChanges).values({
    ...{ priceId: 'eur-12m', unitAmount: 1695, formerAmount: 1495, startsAt, running: 'change' },
    ...{ noticeAt: new Date(startsAt.getTime() - 30 * DAY_MS), noticeDays: 30, createdAt: at({ days: -1 }), createdBy: 'Fay Finance' },
  })
}

/** Besides the seeded one: two that wait, one that was refused, and one to move a plan. */
async function addRequests({ tx, at }: Scene) {
  const [alice, dario, zoe] = [getPersona('alice'), getPersona('dario'), getPersona('zoe')]
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
    {
      ...{ ...request, id: SEED.unlinkRequest + 4, identifier: '', userId: alice.id, email: alice.email, kind: 'plan_move' as const },
      ...{ fromDeviceId: SEED.devices.misty, toDeviceId: SEED.devices.oldTracker, createdAt: at({ hours: -2 }) },
      ...{ reason: 'other' as const, message: 'Misty got wet and reports nothing any more.', status: 'pending' as const },
    },
  ])
}
