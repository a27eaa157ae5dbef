import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '#contracts/rules/time.ts'
import { devices } from '#db/schema/devices.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [ALICE, DARIO] = ['alice@example.com', 'dario@example.com']
const MOVES = '/users/plan_moves/'
const REQUESTS = '/operator/api/requests/'
const { rex, misty, oldTracker, familyCar, george } = SEED.devices

let portal: Portal
let nora: Record<string, string>
beforeEach(async () => {
  portal = await startPortal()
  nora = await signInStaffAs(portal.world, { email: 'nora@shop.example', name: 'Nora King', role: 'support' })
  return () => portal[Symbol.asyncDispose]()
})

const move = (from: number, to: number) => portal.call(ALICE, 'POST', MOVES, { from, to })
const ask = (from: number, to: number) => portal.call(ALICE, 'POST', `${MOVES}requests/`, { from, to, message: 'It is broken.' })
const readMoves = async () => (await portal.call(ALICE, 'GET', MOVES)).body
const decide = (reference: string, deed: 'accept' | 'refuse', body?: object) =>
  portal.call(null, 'POST', `${REQUESTS}${reference}/${deed}/`, body, nora)
const read = async (reference: string) => {
  const { requests } = (await portal.call(null, 'GET', REQUESTS, undefined, nora)).body
  return requests.find((each: { reference: string }) => each.reference === reference)
}
const stateOf = async (id: number) => (await portal.call(ALICE, 'GET', `/devices/${id}/`)).body.tracker_status
const change = (id: number, values: Partial<typeof devices.$inferInsert>) =>
  portal.world.db.write([], (tx) => tx.update(devices).set(values).where(eq(devices.id, id)))
const passDays = (days: number) => portal.clock.set({ at: new Date(portal.clock.now().getTime() + days * DAY_MS) })
const templatesTo = async (email: string) =>
  ((await portal.call(null, 'GET', `/mock/mail?to=${email}`)).body as { template: string }[]).map(({ template }) => template)
const END = new Date('2030-01-01T00:00:00Z')

test('an owner moves a plan at once, gets a mail, and sees it in the security log', async () => {
  const before = await stateOf(misty)
  expect(await readMoves()).toMatchObject({ can_move: true, next_at: null, per_year: 1, days_between: 30, requests: [] })
  expect(await move(misty, oldTracker)).toMatchObject({ status: 200, body: { tracker: oldTracker, sub_end_date: before.sub_end_date } })
  expect(await stateOf(oldTracker)).toMatchObject({ sub_state: 'active', sub_end_date: before.sub_end_date })
  expect((await stateOf(misty)).sub_state).toBe('ended')
  const { entries } = (await portal.call(ALICE, 'GET', '/users/security_log/')).body
  expect(entries[0]).toMatchObject({ kind: 'own_plan_moved', about: 'Misty → Old tracker', who: ALICE })
  expect(await templatesTo(ALICE)).toContain('plan_moved')
})

test('a tracker that a pro account pays for neither gives its plan away nor gets another, also not by a request', async () => {
  for (const [linked, from, to] of [
    [misty, misty, oldTracker],
    [oldTracker, misty, oldTracker],
  ] as const) {
    await change(linked, { isLinkedToPro: true })
    for (const refused of [await move(from, to), await ask(from, to)])
      expect(refused).toMatchObject({ status: 409, body: { code: 'device_linked_to_pro' } })
    await change(linked, { isLinkedToPro: false })
  }
})

test('a second move within a year is refused with 409, and the owner sees from when it is possible', async () => {
  await change(misty, { subEndDate: END })
  await move(misty, oldTracker)
  expect(await move(oldTracker, misty)).toMatchObject({ status: 409, body: { code: 'move_limit' } })
  const next = new Date(portal.clock.now().getTime() + 365 * DAY_MS)
  expect(await readMoves()).toMatchObject({ can_move: false, next_at: next.toISOString().replace('.000', '') })
  passDays(365)
  expect((await move(oldTracker, misty)).status).toBe(200)
})

test('two moves of one owner have the days of the setting between them, also when more moves a year are allowed', async () => {
  await using other = await startPortal({ moveLimits: { perYear: 3, days: 10 } })
  const again = (from: number, to: number) => other.call(ALICE, 'POST', MOVES, { from, to })
  await again(misty, oldTracker)
  expect((await again(oldTracker, misty)).body.code).toBe('move_limit')
  other.clock.set({ at: new Date(other.clock.now().getTime() + 10 * DAY_MS) })
  expect((await again(oldTracker, misty)).status).toBe(200)
})

test('without moves at once, every move is a request that support accepts, and the limit stays as it was', async () => {
  await using other = await startPortal({ moveLimits: { perYear: 0, days: 30 } })
  expect((await other.call(ALICE, 'GET', MOVES)).body).toMatchObject({ can_move: false, next_at: null })
  expect((await other.call(ALICE, 'POST', MOVES, { from: misty, to: oldTracker })).body.code).toBe('move_limit')
})

test('support sees a request with both trackers and the moves so far, and accepting it moves the plan', async () => {
  const asked = await ask(misty, oldTracker)
  expect(asked).toMatchObject({ status: 201, body: { from: misty, to: oldTracker } })
  const { reference } = asked.body
  expect((await readMoves()).requests).toEqual([asked.body])
  expect(await read(reference)).toMatchObject({
    kind: 'plan_move',
    status: 'pending',
    requester: { email: ALICE },
    message: 'It is broken.',
    holder: null,
    move: { from: { id: misty, name: 'Misty' }, to: { id: oldTracker, name: 'Old tracker' }, own_moves: 0 },
  })
  expect(await decide(reference, 'accept')).toMatchObject({ status: 200, body: { status: 'accepted', decided_by: 'Nora King' } })
  expect((await stateOf(oldTracker)).sub_state).toBe('active')
  expect(await templatesTo(ALICE)).toContain('plan_moved')
  const { entries } = (await portal.call(ALICE, 'GET', '/users/security_log/')).body
  expect(entries[0]).toMatchObject({ kind: 'plan_moved', who: 'Nora King' })
  expect(await readMoves()).toMatchObject({ can_move: true, requests: [] })
})

test('a refused request moves nothing, and the owner gets the reason by mail', async () => {
  const { reference } = (await ask(misty, oldTracker)).body
  await decide(reference, 'refuse', { reason: 'The collar still reports.' })
  expect((await stateOf(misty)).sub_state).toBe('active')
  expect(await templatesTo(ALICE)).toContain('plan_move_refused')
  expect((await ask(misty, oldTracker)).status).toBe(201)
})

test('an owner withdraws an open request once, and support cannot decide it any more', async () => {
  const { reference } = (await ask(misty, oldTracker)).body
  const withdraw = () => portal.call(ALICE, 'DELETE', `${MOVES}requests/${reference}/`)
  expect((await withdraw()).status).toBe(200)
  expect(await withdraw()).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  expect(await decide(reference, 'accept')).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  expect((await readMoves()).requests).toEqual([])
})

test('accepting a request is refused with the reason when the plan has ended or the other tracker has one meanwhile', async () => {
  const { reference } = (await ask(misty, oldTracker)).body
  await change(oldTracker, { subState: 'active', subEndDate: END })
  expect(await decide(reference, 'accept')).toMatchObject({ status: 409, body: { code: 'already_active' } })
  await change(misty, { subState: 'ended' })
  expect(await decide(reference, 'accept')).toMatchObject({ status: 409, body: { code: 'subscription_required' } })
  expect((await read(reference)).status).toBe('pending')
})

test('one request is open for each plan, and neither moves nor requests reach trackers of other accounts', async () => {
  await ask(misty, oldTracker)
  expect(await ask(misty, oldTracker)).toMatchObject({ status: 409, body: { code: 'request_pending' } })
  for (const send of [move, ask]) {
    expect((await send(misty, george)).status).toBe(404)
    expect((await send(misty, familyCar)).body.code).toBe('already_active')
    expect((await send(oldTracker, misty)).body.code).toBe('subscription_required')
    expect((await send(rex, rex)).body.code).toBe('no_change')
  }
})

test('removing the tracker of a request accepts no request of another account', async () => {
  const { reference } = (await ask(misty, oldTracker)).body
  await portal.call(ALICE, 'DELETE', `/devices/${oldTracker}/`)
  expect(await read(reference)).toMatchObject({ status: 'pending', move: { to: null } })
  expect(await decide(reference, 'accept')).toMatchObject({ status: 404 })
  expect((await portal.call(DARIO, 'GET', MOVES)).body.requests).toEqual([])
})
