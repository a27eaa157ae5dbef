import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { stockItems } from '#db/schema/devices.ts'
import { PROGRAM } from '#server/deeds/do-deed.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { planImport, saveImport } from './import-stock.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const HEADER = 'identifier,serial,type\n'
const NEW = '77000001-01,AAAA00000001,tracker_01\n'

async function* chunk(text: string) {
  for (let start = 0; start < text.length; start += 7) yield text.slice(start, start + 7)
}
async function load({ world, clock }: Portal, text: string, skipsInvalid = false) {
  const plan = await planImport(world.db.read, chunk(text), clock.now())
  const isSaved = skipsInvalid || plan.refused.length === 0
  if (isSaved) await saveImport({ ...world, actor: PROGRAM }, plan, 'list.csv')
  return { isSaved, ...plan.counts, refused: plan.refused }
}
const find = async ({ world }: Portal, identifier: string) =>
  (await world.db.read.select().from(stockItems).where(eq(stockItems.identifier, identifier)))[0]
const add = (portal: Portal, numbers: object) =>
  portal.call(ALICE, 'POST', '/devices/trackers/', { name: 'New', kind: 'dog', type: 'tracker_01', ...numbers })

test('an imported tracker can be added by its printed S/N, and has the type and board of the list', async () => {
  await using portal = await startPortal({ claims: 'stock' })
  expect(await add(portal, { serial: 'aaaa-0000-0001' })).toMatchObject({ status: 400, body: { code: 'invalid_serial' } })
  const outcome = await load(portal, `\uFEFFIdentifier;Serial;Type;Board;Months;Batch\n\n7700000101;aaaa 0000 0001;triby;;24;May\n`)
  expect(outcome).toEqual({ isSaved: true, added: 1, changed: 0, known: 0, completed: 0, refused: [] })
  expect(await find(portal, '7700000101')).toMatchObject({
    boardName: 'TRB1-A',
    includedMonths: 24,
    batch: 'May',
    addedAt: portal.clock.now(),
  })
  expect(await add(portal, { serial: 'aaaa-0000-0001' })).toMatchObject({ status: 201, body: { identifier: '7700000101', type: 'triby' } })
})

test('a list that is imported again adds nothing, even if one of its trackers is on an account by now', async () => {
  await using portal = await startPortal()
  const list = `${HEADER}${NEW}77000002-01,AAAA00000002,tracker_01\n`
  expect(await load(portal, list)).toMatchObject({ added: 2, known: 0 })
  await add(portal, { identifier: '7700000101' })
  expect(await load(portal, list)).toMatchObject({ added: 0, changed: 0, known: 2 })
})

test('what a list says about a known tracker is taken over, and what it leaves out stays', async () => {
  await using portal = await startPortal()
  await load(portal, `identifier,serial,type,months,batch\n77000001-01,AAAA00000001,tracker_01,24,May\n`)
  expect(await load(portal, HEADER + NEW)).toMatchObject({ changed: 0, known: 1 })
  expect(await load(portal, `identifier,serial,type,months\n77000001-01,AAAA00000001,tracker_01,6\n`)).toMatchObject({
    changed: 1,
    known: 0,
  })
  expect(await find(portal, '7700000101')).toMatchObject({ includedMonths: 6, batch: 'May', boardName: 'TRK1-A' })
})

test('a tracker that its owner added by the identifier gets its S/N when it comes into stock', async () => {
  await using portal = await startPortal()
  const { id } = (await add(portal, { identifier: '7700000101' })).body
  const serialOf = async () => (await portal.call(ALICE, 'GET', `/devices/${id}/`)).body.serial
  expect(await serialOf()).toBeNull()
  expect(await load(portal, HEADER + NEW)).toMatchObject({ added: 1, completed: 1, known: 0 })
  expect(await serialOf()).toBe('AAAA00000001')
  const check = { identifier: '7700000101', serial: 'AAAA00000001' }
  expect((await portal.call('george@example.com', 'POST', '/devices/trackers/serial_check/', check)).status).toBe(200)
})

test('wrong lines are refused with column and reason: then nothing is imported, or only the good lines', async () => {
  await using portal = await startPortal()
  const { serial } = (await portal.call(ALICE, 'GET', `/devices/${SEED.devices.rex}/`)).body
  const list = [
    'identifier,serial,type,board,months,batch',
    '77000001-01,AAAA00000001,tracker_01,,,',
    '123,AAAA00000002,tracker_01,,,',
    '77000003-01,AAAA,tracker_99,,,',
    '77000004-01,AAAA00000004,tracker_01,,-1,',
    `77000005-01,AAAA00000005,tracker_01,,,${'x'.repeat(61)}`,
    '00000006-01,AAAA00000006,tracker_01,,,',
    '77000001 01,AAAA00000007,tracker_01,,,',
    '77000008-01,aaaa-0000-0001,tracker_01,,,',
    `77000009-01,${serial},tracker_01,,,`,
    '10000000-01,AAAA00000010,tracker_01,,,',
  ].join('\n')
  const refused = [
    [3, 'identifier', '"123" is not 8+2 digits'],
    [4, 'serial', '"AAAA" is not 12 letters and digits'],
    [4, 'type', expect.stringContaining('"tracker_99" is none of tracker_01')],
    [5, 'months', '"-1" is no number from 0 to 120'],
    [6, 'batch', expect.stringContaining('has more than 60 characters')],
    [7, 'identifier', '"00000006-01" begins with 00, as those of phones do'],
    [8, 'identifier', 'line 2 has it too'],
    [9, 'serial', 'line 2 has it too'],
    [10, 'serial', `${serial} belongs to another tracker`],
    [11, 'identifier', '1000000001 belongs to another tracker'],
  ].map(([line, column, reason]) => expect.objectContaining({ line, column, reason }))
  expect(await load(portal, list)).toEqual({ isSaved: false, added: 1, changed: 0, known: 0, completed: 0, refused })
  expect(await find(portal, '7700000101')).toBeUndefined()
  expect(await load(portal, list, true)).toMatchObject({ isSaved: true, added: 1, refused })
  expect(await find(portal, '7700000101')).toMatchObject({ serial: 'AAAA00000001' })
})

test.each([
  ['', 'it has no tracker'],
  [HEADER, 'it has no tracker'],
  ['serial,type,colour\n', 'line 1: there is no column identifier, colour is no column'],
  [`${HEADER}"77000001-01,AAAA`, 'The list of trackers cannot be used: '],
])('the file %j is refused as a whole', async (text, reason) => {
  await using portal = await startPortal()
  await expect(load(portal, text)).rejects.toThrow(reason)
})
