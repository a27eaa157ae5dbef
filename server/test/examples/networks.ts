import type { api } from '#contracts/index.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { Examples } from './example.ts'

const { rex } = SEED.devices
const of = (id: number) => ({ params: { id } })

export const networkNumbers: Examples<typeof api.networkNumbers> = {
  read: of(rex),
  save: { ...of(rex), body: { imei: null, dev_eui: '70B3D57ED005A1F2', sigfox: null } },
}

export const networkKeys: Examples<typeof api.networkKeys> = {
  list: {},
  create: { body: { label: 'Helium' } },
  remove: { params: { key: 1 }, after: ['networkKeys.create'] },
}

export const uplinkMappings: Examples<typeof api.uplinkMappings> = {
  read: of(rex),
  save: { ...of(rex), body: { lat: 'gps.y', lng: 'gps.x', battery: 'bat' } },
}
