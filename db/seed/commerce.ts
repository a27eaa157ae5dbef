import type { invoices, orders, paymentMethods, subscriptions, verificationCodes } from '#db/tables/commerce.ts'
import { FLEETS } from './fleets.ts'
import type { Moments } from './moments.ts'
import { persona } from './personas.ts'
import { priceRows } from './prices.ts'
import { SEED } from './seed-ids.ts'
import { CODES } from './seed-keys.ts'

const alice = persona('alice').accountId
const bruno = persona('bruno').accountId
const { delivered, shipping, inProgress } = SEED.orders
const { aliceFirst, aliceSecond, aliceLast, brunoPaid, brunoFailed } = SEED.invoices

/** One subscription for each tracker that has or had one; numbered as its tracker. */
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
      }
    })

export const codeRows = (at: Moments): (typeof verificationCodes.$inferInsert)[] => [
  { code: CODES.valid, months: 12, extra: 1, deviceId: null, usedAt: null },
  { code: CODES.used, months: 12, extra: 0, deviceId: SEED.devices.familyCar, usedAt: at({ days: -65 }) },
  { code: CODES.withoutSubscription, months: null, extra: null, deviceId: null, usedAt: null },
]

export function orderRows(at: Moments): (typeof orders.$inferInsert)[] {
  const order = (reference: string, days: number, status: 'delivered' | 'shipping' | 'in_progress', invoiceId: number | null) => ({
    reference,
    accountId: alice,
    date: at({ days }),
    status,
    currency: 'eur',
    invoiceId,
  })
  const car = (label: string, unit_amount: number) => ({ label: `${label} – Family car`, quantity: 1, unit_amount })
  return [
    { ...order(delivered, -65, 'delivered', aliceFirst), total: 1495, tax: 260, lines: [car('1 year', 1495)] },
    { ...order(shipping, -9, 'shipping', aliceSecond), total: 990, tax: 172, lines: [car('Care', 990)] },
    { ...order(inProgress, -1, 'in_progress', null), total: 4980, tax: 864, lines: [{ ...car('2 years', 2490), quantity: 2 }] },
  ]
}

export function invoiceRows(at: Moments): (typeof invoices.$inferInsert)[] {
  const paid = (id: number, accountId: number, days: number, amount: number, orderReference: string | null = null) => ({
    id,
    accountId,
    number: `INV-${1000 + id}`,
    date: at({ days }),
    amount,
    balance: 0,
    currency: 'eur',
    status: 'paid' as const,
    orderReference,
  })
  return [
    paid(aliceFirst, alice, -65, 1495, delivered),
    paid(aliceSecond, alice, -9, 990, shipping),
    paid(aliceLast, alice, -5, 199),
    paid(brunoPaid, bruno, -368, 1495),
    { ...paid(brunoFailed, bruno, -3, 1495), balance: 1495, status: 'failed' },
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
  ]
}
