import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { importStock, parseStockList } from './import-stock.ts'

const ALICE = 'alice@example.com'
const HEADER = 'identifier,serial,type\n'
const NEW = '77000001-01,AAAA00000001,tracker_01\n'

test('a tracker of a loaded list can be added by its printed S/N, and has the type and board of the list', async () => {
  await using portal = await startPortal()
  const add = (serial: string) => portal.call(ALICE, 'POST', '/devices/trackers/', { serial, name: 'New', kind: 'dog' })
  expect(await add('aaaa-0000-0001')).toMatchObject({ status: 400, body: { code: 'invalid_serial' } })
  const counts = await importStock(
    portal.world.db,
    parseStockList(`\uFEFFIdentifier;Serial;Type;Board\n\n7700000101;aaaa 0000 0001;triby;\n`),
  )
  expect(counts).toEqual({ added: 1, completed: 0, known: 0 })
  expect(await add('aaaa-0000-0001')).toMatchObject({ status: 201, body: { identifier: '7700000101', type: 'triby' } })
})

test('a list that is loaded again adds nothing, even if one of its trackers is on an account by now', async () => {
  await using portal = await startPortal()
  const rows = parseStockList(`${HEADER}${NEW}77000002-01,AAAA00000002,tracker_01\n`)
  expect(await importStock(portal.world.db, rows)).toEqual({ added: 2, completed: 0, known: 0 })
  await portal.call(ALICE, 'POST', '/devices/trackers/', { identifier: '7700000101', name: 'New', kind: 'dog' })
  expect(await importStock(portal.world.db, rows)).toEqual({ added: 0, completed: 0, known: 2 })
})

test('a tracker that its owner added by the identifier gets its S/N when the list is loaded later', async () => {
  await using portal = await startPortal()
  await portal.call(ALICE, 'POST', '/devices/trackers/', { identifier: '7700000101', name: 'New', kind: 'dog', type: 'tracker_01' })
  const rows = parseStockList(HEADER + NEW)
  expect(await importStock(portal.world.db, rows)).toEqual({ added: 1, completed: 1, known: 0 })
  const check = await portal.call('george@example.com', 'POST', '/devices/trackers/serial_check/', {
    identifier: '7700000101',
    serial: 'AAAA00000001',
  })
  expect(check.status).toBe(200)
})

test('a number of another tracker makes the whole list invalid', async () => {
  await using portal = await startPortal()
  const { db } = portal.world
  const { serial } = (await portal.call(ALICE, 'GET', `/devices/${SEED.devices.rex}/`)).body
  for (const wrong of [`77000009-01,${serial},tracker_01\n`, '10000000-01,AAAA00000009,tracker_01\n'])
    await expect(importStock(db, parseStockList(HEADER + NEW + wrong))).rejects.toThrow('belongs to another tracker')
  expect(await importStock(db, parseStockList(HEADER + NEW))).toEqual({ added: 1, completed: 0, known: 0 })
})

test.each([
  ['', 'line 1: there is no column identifier'],
  [HEADER, 'the file: it has no tracker'],
  ['identifier,serial,type,colour\n', 'line 1: colour is no column'],
  [`${HEADER}123,AAAA00000001,tracker_01\n`, 'line 2: identifier: "123" is not 8+2 digits'],
  [`${HEADER}\n77000001-01,AAAA,tracker_01\n`, 'line 3: serial: "AAAA" is not 12 letters and digits'],
  [`${HEADER}77000001-01,AAAA00000001,tracker_99\n`, 'line 2: type: "tracker_99" is none of tracker_01'],
  [`${HEADER}${NEW}77000001 01,AAAA00000002,tracker_01\n`, 'line 3: identifier: line 2 has it too'],
  [`${HEADER}${NEW}77000002-01,aaaa-0000-0001,tracker_01\n`, 'line 3: serial: line 2 has it too'],
  [`${HEADER}"77000001-01,AAAA`, 'the file: '],
])('the list %j is refused with its line and the reason', (text, reason) => {
  expect(() => parseStockList(text)).toThrow(reason)
})
