import { beforeEach, expect, test } from 'vitest'
import { mailStops } from '#db/schema/places.ts'
import { letRexLeave } from '#server/alerts/notices/test-rex.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { queryRows } from '#server/test/test-database.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const API = '/operator/api/customers/'

let portal: Portal
let nora: Record<string, string>
beforeEach(async () => {
  portal = await startPortal()
  nora = await signInStaffAs(portal.world, { email: 'nora@shop.example', name: 'Nora King', role: 'support' })
  return () => portal[Symbol.asyncDispose]()
})

const find = async (q: string) => (await portal.call(null, 'GET', `${API}?q=${encodeURIComponent(q)}`, undefined, nora)).body
const accountOf = async (email: string) => (await find(email)).customers[0].account as number
const read = async (email: string) => (await portal.call(null, 'GET', `${API}${await accountOf(email)}/`, undefined, nora)).body

test('a search lists customers with what it found them by', async () => {
  expect(await find(ALICE)).toMatchObject({
    customers: [{ number: expect.stringMatching(/^C-\d+$/), email: ALICE, found: { by: 'email', value: ALICE } }],
    is_complete: true,
    next: null,
  })
})

test('without a search all customers are listed, the newest first, in pages', async () => {
  const { customers, next } = (await portal.call(null, 'GET', API, undefined, nora)).body
  const accounts = customers.map(({ account }: { account: number }) => account)
  expect(accounts).toEqual([...accounts].sort((a, b) => b - a))
  expect(next).toBeNull()
  const after = (await portal.call(null, 'GET', `${API}?before=${accounts[1]}`, undefined, nora)).body.customers
  expect(after.map(({ account }: { account: number }) => account)).toEqual(accounts.slice(2))
})

test('the page of a customer has account, trackers with plan, orders, invoices, requests and sessions', async () => {
  await portal.token(ALICE)
  const alice = await read(ALICE)
  expect(alice).toMatchObject({ email: ALICE, paid: [{ currency: 'eur' }], people: [{ email: ALICE, email_confirmed: true }] })
  expect(alice.trackers.find(({ id }: { id: number }) => id === SEED.devices.rex)).toMatchObject({
    name: 'Rex',
    sub_state: 'active',
    service: 'in_service',
    plan: { months: expect.any(Number) },
  })
  expect(alice.people[0].sessions.length).toBeGreaterThan(0)
  expect(alice.counts.invoices).toBe(alice.invoices.length)
  expect(alice.orders.length).toBeGreaterThan(0)
})

test('the page of a customer shows no position, no secret and only the end of an S/N', async () => {
  const text = JSON.stringify(await read(ALICE))
  const [rex] = await queryRows<{ lat: number; serial: string; address: string | null }>(
    portal.world.db,
    `select lat, serial, address from devices where id = ${SEED.devices.rex}`,
  )
  expect(text).not.toContain(rex!.serial)
  expect(text).toContain(rex!.serial.slice(-3))
  for (const name of ['lat', 'lng', 'address', 'battery', 'position', 'hash', 'token', 'place', 'birth'])
    expect(text).not.toMatch(new RegExp(`"${name}[^"]*":`))
})

test('the page of a customer lists the alerts that fired, without their places, with what became of each notice', async () => {
  const { db, clock } = portal.world
  const carol = { accountId: 1, email: 'carol@example.net', stoppedAt: clock.now() }
  await db.write('everything', (tx) => tx.insert(mailStops).values(carol))
  await letRexLeave(portal)
  const { alerts, counts } = await read(ALICE)
  expect(alerts[0]).toMatchObject({
    kind: 'place_leave',
    device_name: 'Rex',
    at: '2026-03-02T09:05:00Z',
    notices: [
      { way: 'email', to: 'b…@example.net', state: 'sent' },
      { way: 'email', to: 'c…@example.net', state: 'muted', reason: 'unsubscribed' },
    ],
  })
  expect(JSON.stringify(alerts)).not.toContain('Home')
  expect(counts.alerts).toBe(alerts.length)
})

test('the owner sees in the security log which member of staff has read the page, once an hour', async () => {
  const readings = async () => {
    const { entries } = (await portal.call(ALICE, 'GET', '/users/security_log/')).body as { entries: { kind: string; who: string }[] }
    return entries.filter(({ kind, who }) => kind === 'data_read' && who === 'Nora King').length
  }
  await read(ALICE)
  await read(ALICE)
  expect(await readings()).toBe(1)
  for (let turn = 0; turn < 2; turn++) {
    portal.clock.set({ at: new Date(portal.clock.now().getTime() + 50 * 60_000) })
    await read(ALICE)
  }
  expect(await readings()).toBe(2)
})

test('wrong passwords and a lock show at the user', async () => {
  for (let attempt = 0; attempt < 10; attempt++)
    await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: ALICE, password: 'wrong' })
  expect((await read(ALICE)).people[0]).toMatchObject({ wrong_passwords: 10, locked_until: expect.any(String) })
})

test('an unknown account is not found', async () => {
  expect((await portal.call(null, 'GET', `${API}987654/`, undefined, nora)).status).toBe(404)
})
