import type { api } from '#contracts/index.ts'
import { codeOfStep, stepAt } from '#server/accounts/factors/codes.ts'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { SEED_FACTOR } from '#server/mock/seed/records/second-factor.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { API_TOKEN, CODES, HAND_OFF, PHONE_SESSION, SEED_CHANNEL, SEED_KEYS, sha256 } from '#server/mock/seed/records/seed-secrets.ts'
import { createAuthenticator, seededAuthenticator } from '#server/test/test-authenticator.ts'
import { ANCHOR } from '#server/test/test-files.ts'
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

export const handOff: Examples<typeof api.handOff> = { create: {}, redeem: { as: null, body: { hand_off: HAND_OFF } } }

export const security: Examples<typeof api.security> = {
  log: { query: {} },
  listSessions: {},
  endOtherSessions: {},
  endSession: { params: { session: sha256(PHONE_SESSION).slice(0, 16) } },
}

export const apiTokens: Examples<typeof api.apiTokens> = {
  list: {},
  create: {
    body: {
      label: 'Rex on the dashboard',
      scopes: ['trackers:read', 'positions:read'],
      devices: [SEED.devices.rex],
      until: '2027-03-02T09:00:00Z',
    },
  },
  remove: { params: { id: sha256(API_TOKEN).slice(0, 16) } },
}

export const myData: Examples<typeof api.myData> = { list: {}, create: {}, file: { params: { id: 1 } } }

/** The subscription of RFC 8291, appendix A. */
const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

export const push: Examples<typeof api.push> = {
  read: {},
  subscribe: { body: { endpoint: 'https://push.example.net/browser-1', keys } },
  unsubscribe: {},
  test: { after: ['push.subscribe'] },
}

export const quietHours: Examples<typeof api.quietHours> = { read: {}, change: { body: { quiet: { from: '22:00', to: '07:00' } } } }

const chloes = { as: 'chloe', params: { id: SEED_CHANNEL.id } } as const

export const channels: Examples<typeof api.channels> = {
  list: { as: 'chloe' },
  create: { body: { kind: 'webhook', label: 'Home Assistant', url: 'https://hooks.example.com/whereabouts' } },
  verify: { ...chloes, body: { code: SEED_CHANNEL.code } },
  test: chloes,
  change: { ...chloes, body: { label: 'My old phone', on: false } },
  remove: chloes,
  deliveries: { ...chloes, after: ['channels.test'] },
}

export const retention: Examples<typeof api.retention> = { read: {}, change: { body: { days: 365 } } }

export const announcements: Examples<typeof api.announcements> = { list: {} }

export const terms: Examples<typeof api.terms> = { read: {}, accept: { body: { version: '2026-01-01' } } }

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

const { challenge, passkeySignIn, passkeyCreation, signs, recoveryCodes } = SEED_FACTOR

export const factorSignIn: Examples<typeof api.factorSignIn> = {
  complete: { as: null, body: { challenge, recovery_code: recoveryCodes[0] } },
  passkeyOptions: { as: null },
  passkey: { as: null, body: { challenge: passkeySignIn, passkey: seededAuthenticator.assert({ signs }) } },
}

const proven = { password: DEMO_PASSWORD, recovery_code: recoveryCodes[0] }

export const recentSignIn: Examples<typeof api.recentSignIn> = { confirm: { body: { password: DEMO_PASSWORD } } }

export const secondFactor: Examples<typeof api.secondFactor> = {
  read: { as: 'newcomer' },
  challenge: { as: 'newcomer' },
  startTotp: {},
  confirmTotp: { as: 'chloe', body: { code: codeOfStep(SEED_FACTOR.pendingSecret, stepAt(ANCHOR)) } },
  removeTotp: { as: 'newcomer', body: proven },
  recoveryCodes: { as: 'newcomer', body: proven },
}

const newPasskey = createAuthenticator(2, 'bmV3IHBhc3NrZXk')

export const passkeys: Examples<typeof api.passkeys> = {
  options: {},
  create: { body: { challenge: passkeyCreation, name: 'Phone', passkey: newPasskey.attest({ signs }) } },
  rename: { as: 'newcomer', params: { id: SEED_FACTOR.passkey }, body: { name: 'Work laptop' } },
  remove: { as: 'newcomer', params: { id: SEED_FACTOR.passkey }, body: proven },
}
