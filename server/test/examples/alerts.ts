import type { api } from '#contracts/index.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { Examples } from './example.ts'

const { misty } = SEED.devices
const { bob, carol, dave } = SEED.contacts
const of = (id: number) => ({ params: { id } })

export const alerts: Examples<typeof api.alerts> = {
  list: {},
  create: { body: { name: 'The cat is out', devices: [misty], contacts: [bob, dave], place: SEED.places.home, trigger: 'leave' } },
  get: of(SEED.alerts.leaveHome),
  update: { ...of(SEED.alerts.leaveHome), body: { contacts: [carol] } },
  remove: of(SEED.alerts.enterHome),
}
