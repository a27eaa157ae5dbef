import type { api } from '#contracts/index.ts'
import { CONFLICTS } from '#server/mock/seed/records/conflicts.ts'
import seededPhotos from '#server/mock/seed/records/photos.json' with { type: 'json' }
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { LINKS } from '#server/mock/seed/records/seed-secrets.ts'
import type { Examples } from './example.ts'

const { rex, misty, cityBike, coldBox, newTracker, spareTracker, oldTracker, stolenScooter, grandpa } = SEED.devices
const of = (id: number) => ({ params: { id } })
const day = { not_before: '2026-03-01T09:00:00Z', not_after: '2026-03-02T09:00:00Z' }

export const devices: Examples<typeof api.devices> = {
  list: { query: { type: 'tracker' } },
  get: of(rex),
  config: of(rex),
  setMode: { ...of(rex), body: { mode: 22 } },
  status: of(rex),
  activate: of(newTracker),
  boost: { ...of(rex), body: { duration_minutes: 15 } },
  endBoost: { ...of(rex), after: ['devices.boost'] },
}

export const sct2: Examples<typeof api.sct2> = {
  read: of(coldBox),
  update: {
    ...of(coldBox),
    query: { action: 'ui' },
    body: { frequency: 30, keepalive_period: 240, temp_uplink_slices_duration: 2, temp_slice_duration: 60 },
  },
}

export const links: Examples<typeof api.links> = {
  listOf: of(cityBike),
  create: { ...of(misty), body: { label: 'For the vet', end_date: '2026-03-03T09:00:00Z' } },
  remove: { params: { uuid: LINKS.permanent } },
  list: {},
  read: { as: null, params: { uuid: LINKS.lastPoint } },
}

export const groupLinks: Examples<typeof api.groupLinks> = {
  create: { body: { devices: [rex, misty], label: 'For the sitter', end_date: '2026-03-03T09:00:00Z' } },
}

export const days: Examples<typeof api.days> = {
  list: { ...of(rex), query: { from: '2026-02-01', to: '2026-03-02', tz: 'America/Montevideo' } },
  borders: { ...of(rex), query: day },
  ways: { ...of(rex), query: { from: '2026-02-01', to: '2026-03-02', tz: 'America/Montevideo' } },
}

export const normal: Examples<typeof api.normal> = {
  read: of(rex),
  set: { ...of(rex), body: { enabled: true } },
  dismiss: { ...of(rex), body: { points: [{ lat: -34.8969, lng: -56.117 }] } },
  suggest: {},
}

export const owners: Examples<typeof api.owners> = {
  list: { as: 'support' },
}

export const photos: Examples<typeof api.photos> = {
  save: {
    ...of(cityBike),
    body: new File([Buffer.from(seededPhotos.rex.small, 'base64')], 'rex.jpg', { type: 'application/octet-stream' }),
  },
  remove: of(rex),
  setIcon: { ...of(cityBike), body: { icon: 'motorbike' } },
}

export const positions: Examples<typeof api.positions> = {
  history: { ...of(rex), query: day },
  track: { ...of(rex), query: day },
  exportCsv: { ...of(rex), query: day },
  refused: { ...of(rex) },
  changeMarks: { ...of(rex), body: { positions: [2 ** 32 + Date.parse('2026-03-02T08:59:30Z') / 1000], mark: 'kept' } },
  live: {},
  ingest: {
    as: null,
    body: {
      identifier: '10000000-06',
      battery: 76,
      positions: [{ lat: -34.9099, lng: -56.1497, precision: 8, datetime: '2026-03-02T08:59:30Z', event: 'button' }],
    },
  },
}

const theftOfBike = {
  date: '2026-03-02T07:30:00Z',
  address: 'Terminal Tres Cruces',
  description: 'The lock was cut; blue frame, basket in front.',
}

export const theft: Examples<typeof api.theft> = {
  read: of(stolenScooter),
  open: { ...of(cityBike), body: theftOfBike },
  change: { ...of(stolenScooter), body: { police_reference: 'MVD-2026-0417', status: 'closed' } },
  form: of(grandpa),
}

export const trackers: Examples<typeof api.trackers> = {
  add: { body: { identifier: '90000000-03', name: 'Boat', kind: 'other' } },
  change: { ...of(rex), body: { name: 'Rex II', kind: 'dog', tag: SEED.tags.vehicles, visible: true } },
  remove: of(spareTracker),
  activateNetwork: of(oldTracker),
}

export const phoneTrackers: Examples<typeof api.phoneTrackers> = {
  add: { body: { name: 'My phone', kind: 'person' } },
}

export const serialChecks: Examples<typeof api.serialChecks> = {
  read: { query: { identifier: CONFLICTS.oneAttempt } },
  check: { body: { identifier: CONFLICTS.free, serial: 'VICTOR000001' } },
  unlock: { as: 'support', body: { identifier: CONFLICTS.locked } },
}

export const conflicts: Examples<typeof api.conflicts> = {
  requestUnlink: {
    body: { identifier: CONFLICTS.free, email: 'alice@example.com', reason: 'bought_used', message: 'Bought at a flea market.' },
  },
}

/** The first key of the account is the seeded gateway's. */
const SECOND_KEY = 2

export const deviceKeys: Examples<typeof api.deviceKeys> = {
  list: { params: { id: rex } },
  create: { params: { id: rex }, body: { label: 'My phone' } },
  messages: { params: { id: rex } },
  remove: { params: { id: rex, key: SECOND_KEY }, after: ['deviceKeys.create'] },
}

export const batteryAlerts: Examples<typeof api.batteryAlerts> = {
  read: of(rex),
  save: { ...of(rex), body: { threshold: 25, contacts: [] } },
}

export const networkNumbers: Examples<typeof api.networkNumbers> = {
  read: of(rex),
  save: { ...of(rex), body: { imei: null, dev_eui: '70B3D57ED005A1F2', sigfox: null } },
}

export const networkKeys: Examples<typeof api.networkKeys> = {
  list: {},
  create: { body: { label: 'Helium' } },
  remove: { params: { key: 1 }, after: ['networkKeys.create'] },
}

export const networkServer: Examples<typeof api.networkServer> = {
  read: {},
  save: { body: { url: 'https://chirpstack.example.com/', token: 'of-the-api' } },
  remove: {},
}

export const uplinkMappings: Examples<typeof api.uplinkMappings> = {
  read: of(rex),
  save: { ...of(rex), body: { latitude: 'gps.y', longitude: 'gps.x', battery: 'bat' } },
}

export const GPX = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Example" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
<trkpt lat="-34.9057" lon="-56.1600"><ele>12</ele><time>2026-02-01T12:00:00Z</time></trkpt>
<trkpt lat="-34.9061" lon="-56.1612"><ele>13</ele><time>2026-02-01T12:01:00Z</time></trkpt>
<trkpt lat="-34.9065" lon="-56.1620"></trkpt>
</trkseg></trk></gpx>
`
const firstImport = { params: { id: newTracker, import: 1 }, after: ['data.create' as const] }

export const data: Examples<typeof api.data> = {
  export: { ...of(rex), query: { ...day, format: 'gpx' } },
  list: of(rex),
  create: { ...of(newTracker), query: { filename: 'walk.gpx' }, body: new File([GPX], 'walk.gpx', { type: 'application/octet-stream' }) },
  commit: firstImport,
  undo: firstImport,
}
