import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { devices } from '#db/schema/devices.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { createTestWorld, fix, NOW } from '#server/tracking/test-world.ts'
import { exportFilename, historyCsv } from './csv.ts'

const { newTracker } = SEED.devices
const PERIOD = { from: new Date(NOW.getTime() - 86_400_000), to: NOW }

const textOf = async (content: AsyncIterable<Buffer>) => (await buffer(content)).toString()

test('R-1.14 the export has a header and one row per position of the period', async () => {
  await using portal = await startPortal()
  const row = { lat: -349_057_000, lng: -561_600_000, precision: 8, event: 7, battery: 90 }
  const rows = [0, 1, 2].map((minute) => ({ ...row, time: NOW.getTime() / 1000 - minute * 60 }))
  await portal.world.db.write('everything', (tx) => portal.world.positions.add(tx, newTracker, rows))
  const response = await portal.call('alice@example.com', 'GET', `/devices/${newTracker}/tracker_data/export_csv/`)
  expect([response.status, response.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(response.headers['content-disposition']).toContain('filename="New_tracker_2026-03-01_2026-03-02.csv"')
  const lines = response.raw.toString('utf8').split('\r\n')
  expect(lines[0]).toBe('\uFEFFdatetime,latitude,longitude,precision,address,event,battery')
  expect(lines[3]).toMatch(/^2026-03-02T09:00:00Z,-34\.9057000,-56\.1600000,8,.+,button,90$/)
  expect(lines.slice(4)).toEqual([''])
})

test('the export of an empty period is only the header', async () => {
  using portal = await createTestWorld()
  expect(await textOf(historyCsv(portal.world, 1, PERIOD))).toBe('\uFEFFdatetime,latitude,longitude,precision,address,event,battery\r\n')
})

test('text that starts like a formula is prefixed with an apostrophe, numbers are not', async () => {
  using portal = await createTestWorld()
  await portal.say(0, 0, { battery: 90, positions: [fix(0, -1, { event: 'button' }), fix(0, 0)] })
  const geocode = {
    ...portal.world.geocode,
    nearest: () => ({ lat: 0, lng: 0, label: '=Rambla "O\'Higgins", 4', street: '', number: '', neighbourhood: null }),
  }
  const [, ...rows] = (await textOf(historyCsv({ ...portal.world, geocode }, 1, PERIOD))).split('\r\n')
  expect(rows).toEqual([
    '2026-03-02T08:59:00Z,-34.9000000,-56.1600000,10,"\'=Rambla ""O\'Higgins"", 4",button,',
    '2026-03-02T09:00:00Z,-34.9000000,-56.1600000,10,"\'=Rambla ""O\'Higgins"", 4",,90',
    '',
  ])
})

test('addresses far longer than the other columns are exported whole', async () => {
  using portal = await createTestWorld()
  const label = '東京都'.repeat(200)
  const geocode = { ...portal.world.geocode, nearest: () => ({ lat: 0, lng: 0, label, street: '', number: '', neighbourhood: null }) }
  await portal.say(0, 0, { positions: [1, 2, 3, 4, 5].map((minute) => fix(0, -minute)) })
  const [, ...rows] = (await textOf(historyCsv({ ...portal.world, geocode }, 1, PERIOD))).split('\r\n')
  expect(rows.map((line) => line.split(',')[4])).toEqual([label, label, label, label, label, undefined])
  expect(rows[4]).toMatch(/^2026-03-02T08:59:00Z,-34\.9000000,-56\.1600000,10,東/)
})

test('an export of many positions is streamed in chunks without gaps or duplicates', async () => {
  using portal = await createTestWorld()
  const row = { lat: 0, lng: 1, precision: 1, event: null, battery: null }
  const rows = Array.from({ length: 2500 }, (_, second) => ({ ...row, time: NOW.getTime() / 1000 - second }))
  await portal.world.db.write('everything', (tx) => portal.world.positions.add(tx, 1, rows))
  let pieces = 0
  const lines = new Set<string>()
  for await (const piece of historyCsv(portal.world, 1, PERIOD)) {
    pieces++
    for (const line of piece.toString().split('\r\n')) if (line) lines.add(line)
  }
  expect([pieces, lines.size]).toEqual([4, 2501])
  expect([...lines][1]).toMatch(/,0\.0000000,0\.0000001,/)
})

test('an export is named after the tracker and the days, without characters that file names forbid', async () => {
  expect(exportFilename('犬/Rex: "1"', PERIOD)).toBe('犬-Rex- -1-_2026-03-01_2026-03-02.csv')
  await using portal = await startPortal()
  await portal.world.db.write('everything', (tx) => tx.update(devices).set({ name: 'Ōkami' }))
  const { headers } = await portal.call('alice@example.com', 'GET', `/devices/${newTracker}/tracker_data/export_csv/`)
  expect(headers['content-disposition']).toContain("filename*=UTF-8''%C5%8Ckami_2026-03-01_2026-03-02.csv")
})
