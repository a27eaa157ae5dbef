import type { api } from '#contracts/index.ts'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { SEED_KEYS } from '#server/mock/seed/records/seed-secrets.ts'
import type { Examples } from './example.ts'

const member = { id: SEED.users.withoutDevices }

export const confirmations: Examples<typeof api.confirmations> = {
  confirm: { as: null, body: { key: SEED_KEYS.confirmValid } },
  resend: { as: null, body: { key: SEED_KEYS.confirmExpired } },
  change: { body: { email: 'alice.new@example.com', password: DEMO_PASSWORD } },
  confirmChange: { as: null, body: { key: SEED_KEYS.changeValid } },
}

export const team: Examples<typeof api.team> = {
  list: { as: 'admin' },
  invite: {
    as: 'admin',
    body: { email: 'lena@pro.example.com', first_name: 'Lena', last_name: 'Lehmann', devices: [SEED.devices.proVan], language: 'de' },
  },
  change: { as: 'admin', params: member, query: { made: 'end' }, body: { devices: [SEED.devices.proTruck, SEED.devices.proDog] } },
  remove: { as: 'admin', params: member, query: { made: 'end' } },
  made: { as: 'admin', params: member },
  resendInvitation: { as: 'admin', params: { id: SEED.users.invited }, body: {} },
}
