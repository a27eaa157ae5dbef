import { beforeEach, expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const API = '/operator/api/stock/'
const HEADER = 'identifier,serial,type,batch\n'

let portal: Portal
let clerk: Record<string, string>
beforeEach(async () => {
  portal = await startPortal({ claims: 'stock' })
  clerk = await signInStaffAs(portal.world, { email: 'clerk@shop.example', name: 'Cleo Clerk', role: 'stock' })
  return () => portal[Symbol.asyncDispose]()
})

const csv = (text: string) => new Blob([text], { type: 'text/csv' })
const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  portal.call(null, method, `${API}${path}`, body, { ...clerk, ...headers })
const steps = async (identifier: string) =>
  (await call('GET', `${identifier}/`)).body.history.map(({ what, who, detail }: Record<string, string>) => [what, who, detail])
const deeds = async () => {
  const admin = await signInStaffAs(portal.world, { email: 'root@shop.example', name: 'Root', role: 'admin' })
  return (await portal.call(null, 'GET', '/operator/api/deeds/', undefined, admin)).body.deeds
}

test('a preview tells what an import would do and changes nothing; the import does it and stands in the log', async () => {
  const list = csv(`${HEADER}77000001-01,AAAA00000001,tracker_01,May\n77000002-01,AAAA00000002,triby,May\n`)
  const report = { added: 2, changed: 0, known: 0, completed: 0, refused: 0, refused_lines: [] }
  expect(await call('POST', 'preview/', list)).toMatchObject({ status: 200, body: report })
  expect((await call('GET', '?search=7700')).body.items).toEqual([])
  expect(await call('POST', 'import/?name=may.csv', list)).toMatchObject({ status: 200, body: report })
  expect((await call('GET', '?search=7700&state=in_stock&batch=May&type=triby')).body).toMatchObject({
    items: [{ identifier: '77000002-01', serial: 'AAAA00000002', months: 12, state: 'in_stock', account: null }],
    next: null,
  })
  expect(await deeds()).toMatchObject([
    { kind: 'stock_imported', who: 'Cleo Clerk', subject: 'may.csv', detail: { added: 2, changed: 0, refused: 0 } },
  ])
})

test('a file with invalid lines is rejected with line, column and reason, unless the caller skips them', async () => {
  const list = csv(`${HEADER}77,AAAA00000001,tracker_01,\n77000002-01,AAAA00000002,triby,\n`)
  const line = { line: 2, column: 'identifier', code: 'identifier', value: '77', reason: '"77" is not 8+2 digits' }
  expect((await call('POST', 'preview/', list)).body).toMatchObject({ added: 1, refused: 1, refused_lines: [line] })
  expect(await call('POST', 'import/', list)).toMatchObject({
    status: 400,
    body: { code: 'validation_error', errors: [{ line: 2, errors: { identifier: [line.reason] } }] },
  })
  expect((await call('GET', '?search=7700')).body.items).toEqual([])
  expect(await call('POST', 'import/?skip_invalid=true', list)).toMatchObject({ status: 200, body: { added: 1, refused: 1 } })
})

test('a file that is no list of trackers is refused with the reason', async () => {
  for (const path of ['preview/', 'import/'])
    expect(await call('POST', path, csv('colour\nred\n'))).toMatchObject({
      status: 400,
      body: { errors: { file: [expect.stringContaining('there is no column identifier')] } },
    })
})

test('an import that is repeated with its key is logged once, and another file with that key is refused', async () => {
  const list = `${HEADER}77000001-01,AAAA00000001,tracker_01,\n`
  const send = (text: string) => call('POST', 'import/', csv(text), { 'idempotency-key': 'delivery-1' })
  expect((await send(list)).body).toMatchObject({ added: 1, known: 0 })
  expect((await send(list)).body).toMatchObject({ added: 1, known: 0 })
  expect(await deeds()).toHaveLength(1)
  const other = `${HEADER}77000002-01,AAAA00000002,tracker_01,\n`
  expect(await send(other)).toMatchObject({ status: 409, body: { code: 'key_used_elsewhere' } })
})

test('a blocked tracker cannot be added until it is unblocked, and its history says who did it and why', async () => {
  const add = () =>
    portal.call('alice@example.com', 'POST', '/devices/trackers/', {
      name: 'New',
      kind: 'dog',
      type: 'tracker_01',
      identifier: '90000000-01',
    })
  const identifiers = ['90000000-01', '9000000002', '99999999-99']
  expect(await call('POST', 'block/', { identifiers, reason: 'Lost parcel' })).toMatchObject({
    status: 200,
    body: { changed: ['90000000-01', '90000000-02'], unknown: ['99999999-99'] },
  })
  expect(await add()).toMatchObject({ status: 409, body: { code: 'blocked' } })
  expect((await call('GET', '?state=blocked')).body.items).toHaveLength(2)
  expect((await call('POST', 'unblock/', { identifiers: ['90000000-01'] })).status).toBe(200)
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 60_000) })
  expect((await add()).status).toBe(201)
  expect(await steps('90000000-01')).toEqual([
    ['added', null, '2026-02'],
    ['blocked', 'Cleo Clerk', 'Lost parcel'],
    ['unblocked', 'Cleo Clerk', null],
    ['claimed', null, null],
  ])
  expect((await deeds()).map(({ kind, subject }: Record<string, string>) => [kind, subject])).toEqual([
    ['stock_unblocked', '90000000-01'],
    ['stock_blocked', '90000000-02'],
    ['stock_blocked', '90000000-01'],
  ])
})

test('blocking only trackers that are not in stock changes nothing', async () => {
  expect((await call('POST', 'block/', { identifiers: ['99999999-99'] })).status).toBe(404)
  expect((await call('POST', 'block/', { identifiers: ['99'] })).body.errors).toHaveProperty('identifiers.0')
  expect(await deeds()).toEqual([])
})

test('the history of an item keeps that an account had it, and forgets which one when the account is erased', async () => {
  await portal.call('victor@example.com', 'DELETE', `/devices/${SEED.devices.victorPending}/`)
  const history = async () => (await call('GET', '80000000-04/')).body.history as Record<string, unknown>[]
  const past = (await history()).filter(({ what }) => what === 'claimed' || what === 'removed')
  expect(past).toEqual([expect.objectContaining({ what: 'claimed' }), expect.objectContaining({ what: 'removed', at: expect.any(String) })])
  expect(past.map(({ account }) => account)).toEqual([expect.any(Number), past[0]!.account])
  expect((await history()).map(({ what }) => what)).toEqual(expect.arrayContaining(['added', 'months_used', 'requested']))
  expect((await portal.call('victor@example.com', 'DELETE', '/users/me/?profile=all')).status).toBe(200)
  expect((await history()).filter(({ what }) => what === 'removed')).toMatchObject([{ account: null }])
})

test('an identifier that is not in stock is not found', async () => {
  expect((await call('GET', '99999999-99/')).status).toBe(404)
})
