import { HAND_OFF_MINUTES } from '#contracts/accounts/hand-off.ts'
import { DATA_COPY } from '#contracts/accounts/my-data.ts'
import type { accounts, dataCopies, dataCopyFiles, EmailKeyKind, emailKeys, teamDevices, tokens, users } from '#db/schema/accounts.ts'
import type { apiTokens, handOffs } from '#db/schema/security.ts'
import { TOKEN_DAYS } from '#db/sessions.ts'
import { packFile } from '#server/lib/zip.ts'
import { EMAIL_KEY_HOURS } from '#server/outbox/mail-keys.ts'
import type { Moments } from './moments.ts'
import { CITY_ZONE, getPersona, PERSONAS, PRO_ACCOUNT_ID } from './personas.ts'
import { SEED } from './seed-ids.ts'
import { API_TOKEN, HAND_OFF, PHONE_SESSION, SEED_KEYS, sha256 } from './seed-secrets.ts'

const customers = ['alice', 'bruno', 'usha', 'haruka'].map(getPersona)
const stripeCustomerId = (account: number) => {
  const payer = customers.find(({ accountId }) => accountId === account)
  return payer ? `cus_seed_${payer.key}` : null
}

type UserRow = typeof users.$inferInsert

export const accountRows: (typeof accounts.$inferInsert)[] = [...new Set(PERSONAS.map(({ accountId }) => accountId))].map((id) => ({
  id,
  isPro: id === PRO_ACCOUNT_ID,
  adminEmail: id === PRO_ACCOUNT_ID ? 'fleet@pro.example.com' : null,
  stripeCustomer: stripeCustomerId(id),
}))

const TEAM = [
  { id: SEED.users.invited, email: 'invited@pro.example.com', firstName: 'Ines', lastName: 'Invited', emailConfirmed: false },
  { id: SEED.users.withoutDevices, email: 'newcomer@pro.example.com', firstName: 'Nora', lastName: 'Newcomer', emailConfirmed: true },
] as const

/** The personas, and two members of the pro team who appear only in its list: one invited, one without trackers. */
export function userRows(at: Moments, passwordHash: string): UserRow[] {
  const personas = PERSONAS.map(({ key, password, ...user }) => ({
    ...user,
    username: user.email,
    passwordHash,
    createdAt: at({ days: key === 'chloe' ? -1 : -400 }),
  }))
  const team = TEAM.map((user) => ({
    ...user,
    accountId: PRO_ACCOUNT_ID,
    username: user.email,
    role: 'pro' as const,
    passwordHash: user.emailConfirmed ? passwordHash : null,
    timeZone: CITY_ZONE,
    createdAt: at({ days: -2 }),
  }))
  return [...personas, ...team]
}

export const teamDeviceRows: (typeof teamDevices.$inferInsert)[] = [SEED.devices.proVan, SEED.devices.proTruck].map((deviceId) => ({
  userId: getPersona('member').id,
  deviceId,
}))

export function emailKeyRows(at: Moments): (typeof emailKeys.$inferInsert)[] {
  const key = (plain: string, userId: number, kind: EmailKeyKind, expiresAt: Date, more: { email?: string; usedAt?: Date } = {}) => ({
    hash: sha256(plain),
    userId,
    kind,
    email: null,
    expiresAt,
    usedAt: null,
    ...more,
  })
  const [alice, chloe, george, zoe] = [getPersona('alice').id, getPersona('chloe').id, getPersona('george').id, getPersona('zoe').id]
  const expired = at({ days: -2 })
  const moved = { email: 'george.new@example.com' }
  return [
    key(SEED_KEYS.confirmValid, chloe, 'confirm', at({ hours: EMAIL_KEY_HOURS.confirm })),
    key(SEED_KEYS.confirmExpired, chloe, 'confirm', expired),
    key(SEED_KEYS.confirmUsed, alice, 'confirm', at({ days: -399 }), { usedAt: at({ days: -400 }) }),
    key(SEED_KEYS.changeValid, george, 'change', at({ hours: EMAIL_KEY_HOURS.change }), moved),
    key(SEED_KEYS.changeExpired, george, 'change', expired, moved),
    key(SEED_KEYS.resetValid, zoe, 'reset', at({ hours: EMAIL_KEY_HOURS.reset })),
    key(SEED_KEYS.resetExpired, zoe, 'reset', expired),
    key(SEED_KEYS.invitation, SEED.users.invited, 'invitation', at({ hours: EMAIL_KEY_HOURS.invitation })),
  ]
}

export const sessionRows = (at: Moments): (typeof tokens.$inferInsert)[] => [
  {
    hash: sha256(PHONE_SESSION),
    userId: getPersona('alice').id,
    createdAt: at({ days: -3 }),
    lastSeenAt: at({ hours: -20 }),
    expiresAt: at({ days: TOKEN_DAYS - 3 }),
    agent: 'Safari, iOS',
    place: '203.0.113.0/24',
  },
]

export const handOffRows = (at: Moments): (typeof handOffs.$inferInsert)[] => [
  { hash: sha256(HAND_OFF), session: sha256(PHONE_SESSION), expiresAt: at({ minutes: HAND_OFF_MINUTES }) },
]

export const apiTokenRows = (at: Moments): (typeof apiTokens.$inferInsert)[] => [
  {
    hash: sha256(API_TOKEN),
    userId: getPersona('alice').id,
    label: 'Home Assistant',
    scopes: ['trackers:read', 'positions:read'],
    isLimited: false,
    createdAt: at({ days: -40 }),
    expiresAt: at({ days: 325 }),
    lastUsedAt: at({ minutes: -7 }),
  },
]

const COPY_ID = 1
const COPY_RECORD = Buffer.from('{}')

/** A copy of her data that alice can download. */
export const dataCopyRows = (at: Moments): (typeof dataCopies.$inferInsert)[] => [
  {
    id: COPY_ID,
    userId: getPersona('alice').id,
    createdAt: at({ hours: -1 }),
    readyAt: at({ hours: -1 }),
    endsAt: at({ hours: DATA_COPY.hours - 1 }),
    size: 48_128,
  },
]

export async function dataCopyFileRows(at: Moments): Promise<(typeof dataCopyFiles.$inferInsert)[]> {
  const file = await packFile('account.json', at({ hours: -1 }), COPY_RECORD)
  return [{ ...file, packed: Buffer.from(file.packed), copyId: COPY_ID }]
}
