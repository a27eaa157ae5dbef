import type { api } from '#contracts/index.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { Examples } from './example.ts'

export const orders: Examples<typeof api.orders> = {
  list: {},
  read: { params: { reference: SEED.orders.shipping } },
}

const ofCar = { params: { id: SEED.devices.familyCar } }
const claimed = ['careClaims.open' as const]

export const careClaims: Examples<typeof api.careClaims> = {
  list: { query: {}, after: claimed },
  read: ofCar,
  open: {
    ...ofCar,
    body: {
      reason: 'battery',
      description: 'The battery lasts two days.',
      delivery: 'Alice Almeida\nEllauri 350\n11300 Montevideo\nUruguay',
    },
  },
  pay: { ...ofCar, body: { success_path: '/trackers/4/settings?care=paid', cancel_path: '/trackers/4/settings' }, after: claimed },
  withdraw: { ...ofCar, after: claimed },
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
