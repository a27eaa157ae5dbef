import { beforeEach, expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { explainQueries } from '#server/test/test-database.ts'
import { selectCodes } from './codes.store.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const API = '/operator/api/codes/'
const ALICE = 'alice@example.com'
const { kitchen } = SEED.devices

let portal: Portal
let clerk: Record<string, string>
beforeEach(async () => {
  portal = await startPortal()
  clerk = await signInStaffAs(portal.world, { email: 'clerk@shop.example', name: 'Cleo Clerk', role: 'stock' })
  return () => portal[Symbol.asyncDispose]()
})

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  portal.call(null, method, `${API}${path}`, body, { ...clerk, ...headers })
const link = (code: string, device = kitchen) => portal.call(ALICE, 'GET', `/devices/${device}/activate_subscription/?code=${code}`)
const make = async (more: object = {}) =>
  (await call('POST', '', { name: 'Boxes', count: 3, months: 6, ...more })).body as { batch: { id: number }; codes: string[] }
const statesOf = async (query = '') =>
  (await call('GET', query)).body.codes.map(({ code, state }: { code: string; state: string }) => [code, state])

test('codes are made, each links its months once, and the list tells which are used', async () => {
  const { batch, codes } = await make()
  expect(codes).toHaveLength(3)
  for (const code of codes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/)
  const [first = ''] = codes
  expect(await link(first)).toMatchObject({ status: 200, body: { sub_state: 'active', subscription: { duration_months: 6 } } })
  expect(await statesOf(`?batch=${batch.id}`)).toEqual(codes.map((code) => [code, code === first ? 'used' : 'open']))
  expect(await statesOf(`?batch=${batch.id}&state=used`)).toEqual([[first, 'used']])
  expect(await statesOf(`?search=${first.slice(0, 6).toLowerCase()}`)).toEqual([[first, 'used']])
  expect((await call('GET', 'batches/')).body.batches).toMatchObject([
    { name: 'Boxes', count: 3, used: 1, void: 0, months: 6, plan: null, created_by: 'Cleo Clerk' },
  ])
})

test('a code can be worth a plan of the price list, and the request is refused without a known plan or months', async () => {
  const plan = 'eur-12m'
  const { batch } = await make({ months: undefined, plan })
  expect(batch).toMatchObject({ plan, months: 12 })
  for (const [worth, field] of [
    [{ months: undefined }, 'months'],
    [{ plan }, 'months'],
    [{ months: undefined, plan: 'no-plan' }, 'plan'],
    [{ ends_at: '2020-01-01T00:00:00Z' }, 'ends_at'],
    [{ count: 1001 }, 'count'],
  ] as const)
    expect(await call('POST', '', { name: 'Boxes', count: 1, months: 6, ...worth })).toMatchObject({
      status: 400,
      body: { errors: { [field]: [expect.any(String)] } },
    })
})

test('a voided and an expired code are refused with their reasons, and used codes stay used', async () => {
  const { batch, codes } = await make({ ends_at: new Date(portal.clock.now().getTime() + 86_400_000).toISOString() })
  const [first = '', second = '', third = ''] = codes
  await link(first)
  expect(await call('POST', 'void/', { codes: [second.toLowerCase(), 'NOSUCH11'] })).toMatchObject({
    status: 200,
    body: { voided: 1, kept: ['NOSUCH11'] },
  })
  expect(await link(second)).toMatchObject({ status: 400, body: { code: 'code_void' } })
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 86_400_000) })
  clerk = await signInStaffAs(portal.world, { email: 'clerk@shop.example', name: 'Cleo Clerk', role: 'stock' })
  expect(await link(third)).toMatchObject({ status: 400, body: { code: 'code_expired' } })
  expect(await statesOf(`?state=expired&batch=${batch.id}`)).toEqual([[third, 'expired']])
  expect((await call('POST', 'void/', { batch: batch.id })).body).toEqual({ voided: 1, kept: [] })
  expect((await call('GET', 'batches/')).body.batches[0]).toMatchObject({ used: 1, void: 2 })
  expect((await call('POST', 'void/', { batch: 999 })).status).toBe(404)
  expect((await call('POST', 'void/', {})).status).toBe(400)
})

test('a code is mailed in the language of its recipient and stands in the log', async () => {
  expect(await call('POST', 'mail/', { email: 'Frederic@example.com', months: 12, language: 'fr' })).toMatchObject({
    status: 200,
    body: { state: 'open', mailed_to: 'frederic@example.com', batch: null },
  })
  const mails = (await portal.call(null, 'GET', '/mock/mail?to=frederic@example.com')).body
  expect(mails).toMatchObject([{ template: 'subscription_code', language: 'fr' }])
  const admin = await signInStaffAs(portal.world, { email: 'root@shop.example', name: 'Root', role: 'admin' })
  expect((await portal.call(null, 'GET', '/operator/api/deeds/', undefined, admin)).body.deeds).toMatchObject([
    { kind: 'code_mailed', subject: 'frederic@example.com', detail: { months: 12 } },
  ])
})

test('a repeat with the same key makes no second batch', async () => {
  const again = () => call('POST', '', { name: 'Boxes', count: 2, months: 6 }, { 'idempotency-key': 'print-1' })
  const first = (await again()).body
  expect((await again()).body).toEqual(first)
  expect((await call('GET', 'batches/')).body.batches).toHaveLength(1)
})

test('the printable page has a QR code and the text of each code that can still be used', async () => {
  const { batch, codes } = await make()
  await call('POST', 'void/', { codes: [codes[0]] })
  const { status, headers, raw } = await call('GET', `batches/${batch.id}/sheet/?language=de`)
  expect([status, headers['content-type']]).toEqual([200, 'text/html'])
  const html = raw.toString()
  const shown = codes.map((code) => html.includes(`${code.slice(0, 4)} ${code.slice(4)}`))
  expect(shown).toEqual([false, true, true])
  expect(html.match(/<svg/g)).toHaveLength(2)
  expect(html).toContain('6 Monate')
  expect((await call('GET', 'batches/999/sheet/')).status).toBe(404)
})

test('the codes that were sent by mail are listed without those of batches, and the plans on sale are offered', async () => {
  await make()
  const { code } = (await call('POST', 'mail/', { email: 'kim@example.com', plan: 'eur-12m' })).body
  expect((await call('GET', '?mailed=true')).body.codes).toMatchObject([{ code, months: 12, mailed_to: 'kim@example.com', batch: null }])
  expect((await call('GET', 'plans/')).body.plans).toContainEqual(expect.objectContaining({ id: 'eur-12m', currency: 'eur', months: 12 }))
  const plans = await explainQueries(portal.world.db, [
    selectCodes(portal.world.db.read, { mailed: true, after: { value: 'B', key: 'B' }, now: portal.clock.now() }, 50),
  ])
  expect(plans).toEqual([expect.stringContaining('verification_codes_mailed')])
})
