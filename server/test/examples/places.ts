import type { api } from '#contracts/index.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { Examples } from './example.ts'

const { rex, misty } = SEED.devices
const { bob, carol, dave } = SEED.contacts
const of = (id: number) => ({ params: { id } })

const CSV = `name,address,type
Vet,"Ellauri 350, Punta Carretas",other
Bakery,18 de Julio 1360,store
Castle,Qwertz 12345,castle
`

export const addresses: Examples<typeof api.addresses> = {
  search: { query: { q: 'Ellauri' } },
  nearest: { query: { lat: -34.9099, lng: -56.1497 } },
}

export const places: Examples<typeof api.places> = {
  list: {},
  create: { body: { name: 'Vet', address: 'Ellauri 350', type: 'other', radius: 150, devices: [rex, misty] } },
  get: of(SEED.places.home),
  update: { ...of(SEED.places.office), body: { address: '18 de Julio 1360', radius: 500 } },
  remove: of(SEED.places.home),
  importCsv: { body: new File([CSV], 'places.csv', { type: 'text/csv' }) },
}

export const contacts: Examples<typeof api.contacts> = {
  list: {},
  create: { body: { name: 'Erin', email: 'erin@example.net', phone: '+598 2 900 00 00' } },
  update: { ...of(SEED.contacts.bob), body: { name: 'Robert' } },
  askAgain: of(dave),
  remove: of(SEED.contacts.bob),
}

export const tags: Examples<typeof api.tags> = {
  list: {},
  create: { body: { name: 'Weekend', color: '#2e7d32' } },
  update: { ...of(SEED.tags.pets), body: { name: 'Animals' } },
  remove: of(SEED.tags.empty),
}

export const alertDryRun: Examples<typeof api.alertDryRun> = {
  run: { body: { devices: [SEED.devices.rex], place: SEED.places.home, trigger: 'leave', tz: 'UTC' } },
}
export const alertSwitch: Examples<typeof api.alertSwitch> = { set: { ...of(SEED.alerts.leaveHome), body: { on: false } } }

export const silences: Examples<typeof api.silences> = {
  list: {},
  create: { body: { devices: [rex], hours: 8, note: 'The dog sitter walks her' } },
  remove: { ...of(1), after: ['silences.create'] },
}

export const firings: Examples<typeof api.firings> = { list: { query: { device: rex } } }

export const alertInbox: Examples<typeof api.alertInbox> = {
  read: { params: { id: 2 } },
  change: { params: { id: 2 }, body: { seen: true, false_alarm: true } },
  see: { body: { up_to: 2 } },
}

export const alerts: Examples<typeof api.alerts> = {
  list: {},
  create: { body: { name: 'The cat is out', devices: [misty], contacts: [bob, dave], place: SEED.places.home, trigger: 'leave' } },
  get: of(SEED.alerts.leaveHome),
  update: { ...of(SEED.alerts.leaveHome), body: { contacts: [carol] } },
  remove: of(SEED.alerts.enterHome),
}
