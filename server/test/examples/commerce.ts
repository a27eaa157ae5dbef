import type { api } from '#contracts/index.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { Examples } from './example.ts'

export const orders: Examples<typeof api.orders> = {
  list: {},
  read: { params: { reference: SEED.orders.shipping } },
}

export const invoices: Examples<typeof api.invoices> = {
  list: {},
  pdf: { params: { id: SEED.invoices.aliceFirst } },
  pay: { as: 'usha', params: { id: SEED.invoices.ushaOpen }, body: {} },
}

export const paymentMethods: Examples<typeof api.paymentMethods> = {
  list: {},
  change: { params: { id: SEED.cards.mastercard }, body: { is_default: true } },
  remove: { params: { id: SEED.cards.mastercard } },
}
