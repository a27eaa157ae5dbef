import type { OrderStatus } from '#contracts/billing/orders.ts'
import type { invoices, orders, PaidLine, paymentCursors, paymentMethods, subscriptions, verificationCodes } from '#db/schema/commerce.ts'
import { FLEETS } from './fleets.ts'
import type { Moments } from './moments.ts'
import { getPersona } from './personas.ts'
import { priceRows } from './prices.ts'
import { SEED } from './seed-ids.ts'
import { CODES } from './seed-secrets.ts'

const alice = getPersona('alice').accountId
const bruno = getPersona('bruno').accountId
const { delivered, shipping, inProgress } = SEED.orders
const { aliceFirst, aliceSecond, aliceLast, brunoPaid, brunoFailed, ushaOpen } = SEED.invoices

/** One subscription per tracker that has or had one, with the id of the tracker. */
export const subscriptionRows = (at: Moments): (typeof subscriptions.$inferInsert)[] =>
  FLEETS.flatMap(({ devices }) => devices)
    .filter(({ sub }) => sub === 'active' || sub === 'ended')
    .map(({ id, price, endsIn, added }) => {
      const bought = priceRows.find((row) => row.id === price)
      const endsAt = endsIn === undefined ? null : at({ days: endsIn })
      const isRecurring = bought !== undefined && bought.interval !== null && bought.isOffered !== false && (endsIn ?? 0) > 0
      return {
        id,
        deviceId: id,
        priceId: price ?? null,
        isRecurring,
        tax: null,
        months: bought?.months ?? 0,
        extra: bought?.extra ?? 0,
        renewsAt: isRecurring ? endsAt : null,
        endsAt,
        options: id === SEED.devices.familyCar ? ['eur-care'] : [],
        startedAt: at(added),
        providerId: isRecurring ? `sub_seed_${id}` : null,
        status: isRecurring ? 'active' : null,
        renewalAmount: isRecurring ? bought.unitAmount : null,
      }
    })

export const codeRows = (at: Moments): (typeof verificationCodes.$inferInsert)[] => [
  { code: CODES.valid, months: 12, extra: 1, deviceId: null, usedAt: null },
  { code: CODES.used, months: 12, extra: 0, deviceId: SEED.devices.familyCar, usedAt: at({ days: -65 }) },
  { code: CODES.withoutSubscription, months: null, extra: null, deviceId: null, usedAt: null },
]

const line = (label: string, tracker: string, unit_amount: number, quantity = 1): PaidLine => ({
  label: `${label} – ${tracker}`,
  quantity,
  unit_amount,
})
const carYear = { amount: 1495, tax: 260, lines: [line('1 year', 'Family car', 1495)] }
const carCare = { amount: 990, tax: 172, lines: [line('care', 'Family car', 990)] }
const rexMonth = { amount: 199, tax: 35, lines: [line('1 month', 'Rex', 199)] }
const vanYear = { amount: 1495, tax: 260, lines: [line('1 year', 'Camionnette', 1495)] }
/** This price excludes tax. */
const scooterYear = { amount: 1723, tax: 128, lines: [line('1 year', 'Scooter', 1595)] }
const twoYears = { amount: 4980, tax: 864, lines: [line('2 years', 'Family car', 2490, 2)] }
type Sold = typeof carYear

export function orderRows(at: Moments): (typeof orders.$inferInsert)[] {
  const order = (reference: string, days: number, status: OrderStatus, { amount: total, tax, lines }: Sold, invoiceId: number | null) => ({
    reference,
    accountId: alice,
    date: at({ days }),
    status,
    total,
    tax,
    currency: 'eur',
    invoiceId,
    lines,
  })
  return [
    order(delivered, -65, 'delivered', carYear, aliceFirst),
    { ...order(shipping, -9, 'shipping', carCare, aliceSecond), carrier: 'DHL', tracking: '00340434161094', shippedAt: at({ days: -8 }) },
    order(inProgress, -1, 'in_progress', twoYears, null),
  ]
}

export function invoiceRows(at: Moments): (typeof invoices.$inferInsert)[] {
  const paid = (id: number, accountId: number, days: number, sold: Sold, orderReference: string | null = null) => ({
    id,
    accountId,
    number: `INV-${1000 + id}`,
    date: at({ days }),
    ...sold,
    balance: 0,
    currency: 'eur',
    status: 'paid' as const,
    orderReference,
    providerId: `in_seed_${id}`,
  })
  return [
    paid(aliceFirst, alice, -65, carYear, delivered),
    paid(aliceSecond, alice, -9, carCare, shipping),
    paid(aliceLast, alice, -5, rexMonth),
    paid(brunoPaid, bruno, -368, vanYear),
    { ...paid(brunoFailed, bruno, -3, vanYear), balance: vanYear.amount, status: 'failed' },
    { ...paid(ushaOpen, getPersona('usha').accountId, -2, scooterYear), currency: 'usd', balance: scooterYear.amount, status: 'open' },
  ]
}

export function cardRows(at: Moments): (typeof paymentMethods.$inferInsert)[] {
  const card = (id: string, accountId: number, brand: string, last4: string, end: Date) => ({
    id,
    accountId,
    brand,
    last4,
    expMonth: end.getUTCMonth() + 1,
    expYear: end.getUTCFullYear(),
  })
  return [
    { ...card(SEED.cards.visa, alice, 'visa', '4242', at({ months: 26 })), isDefault: true },
    { ...card(SEED.cards.mastercard, alice, 'mastercard', '4444', at({ months: 17 })), isDefault: false },
    { ...card(SEED.cards.brunoExpired, bruno, 'visa', '0341', at({ months: -2 })), isDefault: true },
    { ...card(SEED.cards.haruka, getPersona('haruka').accountId, 'visa', '4242', at({ months: 31 })), isDefault: true },
    { ...card(SEED.cards.usha, getPersona('usha').accountId, 'visa', '4242', at({ months: 8 })), isDefault: true },
  ]
}

/** Stripe's events have been read up to the anchor, so a new world does not sync all of its customers. */
export const cursorRows = (at: Moments): (typeof paymentCursors.$inferInsert)[] => [{ key: 'events', value: at().toISOString() }]
