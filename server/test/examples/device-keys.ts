import type { api } from '#contracts/index.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { Examples } from './example.ts'

const { rex } = SEED.devices
/** The first key of the account is the seeded gateway's. */
const SECOND = 2

export const deviceKeys: Examples<typeof api.deviceKeys> = {
  list: { params: { id: rex } },
  create: { params: { id: rex }, body: { label: 'My phone' } },
  remove: { params: { id: rex, key: SECOND }, after: ['deviceKeys.create'] },
}
