import type { api } from '#contracts/index.ts'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { CODES, PHONE_SESSION, SEED_KEYS, sha256 } from '#server/mock/seed/records/seed-secrets.ts'
import type { Examples } from './example.ts'

export const sessions: Examples<typeof api.sessions> = {
  signIn: { as: null, body: { username: 'alice@example.com', password: DEMO_PASSWORD } },
  signOut: {},
  who: {},
  options: {},
  requestReset: { as: null, body: { email: 'alice@example.com' } },
  reset: { as: null, body: { key: SEED_KEYS.resetValid, new_password: 'correct horse battery' } },
  changePassword: { body: { old_password: DEMO_PASSWORD, new_password: 'correct horse battery' } },
}

export const security: Examples<typeof api.security> = {
  log: { query: {} },
  listSessions: {},
  endOtherSessions: {},
  endSession: { params: { session: sha256(PHONE_SESSION).slice(0, 16) } },
}

export const users: Examples<typeof api.users> = {
  register: {
    as: null,
    body: { email: 'nina@example.com', password: 'correct horse battery', first_name: 'Nina', last_name: 'Novak', language: 'cs' },
  },
  me: {},
  sendConfirmation: { as: 'chloe', body: { send_email_confirmation: true } },
  erase: { as: 'zoe', query: { profile: 'all' } },
  settings: {},
  changeSettings: { body: { firstname: 'Alicia', language: 'pt' } },
}

export const subscriptions: Examples<typeof api.subscriptions> = {
  list: {},
  change: { params: { id: SEED.devices.rex }, body: { cancel_at_period_end: true } },
  linkByCode: { params: { deviceid: SEED.devices.newTracker }, query: { code: CODES.valid } },
  prices: {},
  pay: {
    body: {
      items: [{ device: SEED.devices.oldTracker, price: 'eur-12m' }],
      options: [],
      success_path: '/subscription?checkout=success',
      cancel_path: '/subscription?checkout=cancel',
    },
  },
  billingPortal: { body: { return_path: '/subscription' } },
}
