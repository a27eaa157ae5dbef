import type { api } from '#contracts/index.ts'
import { formatReference } from '#contracts/rules/reading/text.ts'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { ANCHOR } from '#server/test/test-files.ts'
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

/** The first request in a new world. */
const asked = { reference: formatReference(SEED.unlinkRequest + 1) }
const moved = { from: SEED.devices.misty, to: SEED.devices.oldTracker }

export const planMoves: Examples<typeof api.planMoves> = {
  read: {},
  move: { body: moved },
  ask: { body: { ...moved, message: 'Misty has a new collar.' } },
  withdraw: { params: asked, after: ['planMoves.ask'] },
}

/** 40 days after the time of the worlds. */
const paused = { tracker: SEED.devices.misty, until: formatInstant(new Date(ANCHOR.getTime() + 40 * DAY_MS)) }

export const planPauses: Examples<typeof api.planPauses> = {
  read: { params: { tracker: SEED.devices.misty } },
  pause: { body: paused },
  resume: { body: { tracker: SEED.devices.misty }, after: ['planPauses.pause'] },
  ask: { body: { ...paused, message: 'Misty spends the winter in a stable.' } },
  withdraw: { params: asked, after: ['planPauses.ask'] },
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
