import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { devices } from '#db/schema/devices.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { queryRows } from '#server/test/test-database.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const API = '/operator/api/customers/'
const { rex, misty } = SEED.devices

let portal: Portal
let nora: Record<string, string>
let account: number
beforeEach(async () => {
  portal = await startPortal()
  nora = await signInStaffAs(portal.world, { email: 'nora@shop.example', name: 'Nora King', role: 'support' })
  account = (await portal.call(null, 'GET', `${API}?q=${ALICE}`, undefined, nora)).body.customers[0].account
  return () => portal[Symbol.asyncDispose]()
})

const move = (from: number, to: number) => portal.call(null, 'POST', `${API}${account}/plan/move/`, { from, to }, nora)
const change = (id: number, values: Partial<typeof devices.$inferInsert>) =>
  portal.world.db.write([], (tx) => tx.update(devices).set(values).where(eq(devices.id, id)))
const trackerOf = async (id: number) =>
  (await portal.call(null, 'GET', `${API}${account}/`, undefined, nora)).body.trackers.find((one: { id: number }) => one.id === id)
const providerOf = (id: number) =>
  queryRows<{ provider_id: string | null }>(
    portal.world.db,
    `select provider_id from subscriptions where device_id = ${id} order by id desc limit 1`,
  )

test('moving a plan keeps its end and renewal, leaves the old tracker without one, and mails the owner', async () => {
  await change(misty, { subState: 'ended', subEndDate: new Date('2025-01-01T00:00:00Z') })
  const before = await trackerOf(rex)
  const [renewal] = await providerOf(rex)
  expect(renewal!.provider_id).not.toBeNull()
  expect(await move(rex, misty)).toMatchObject({ status: 200, body: { tracker: misty, sub_end_date: before.sub_end_date } })
  expect(await trackerOf(misty)).toMatchObject({ sub_state: 'active', plan: { renews: true, renews_at: before.plan.renews_at } })
  expect(await trackerOf(rex)).toMatchObject({ sub_state: 'ended', plan: { renews: false } })
  expect(await providerOf(misty)).toEqual([renewal])
  expect(await providerOf(rex)).toEqual([{ provider_id: null }])
  const { entries } = (await portal.call(ALICE, 'GET', '/users/security_log/')).body
  expect(entries[0]).toMatchObject({ kind: 'plan_moved', about: 'Rex → Misty', who: 'Nora King' })
  const mails = (await portal.call(null, 'GET', `/mock/mail?to=${ALICE}`)).body as { template: string }[]
  expect(mails.map(({ template }) => template)).toContain('plan_moved')
})

test('the unused months of a new tracker are added to the plan that moves to it', async () => {
  await change(misty, { subState: 'not_activated', subEndDate: null })
  const before = await trackerOf(rex)
  const { body } = await move(rex, misty)
  expect(new Date(body.sub_end_date) > new Date(before.sub_end_date)).toBe(true)
  expect((await trackerOf(misty)).sub_state).toBe('active')
})

test('a move is refused without a running plan, to a tracker with its own, to itself, and between accounts', async () => {
  expect(await move(rex, misty)).toMatchObject({ status: 409, body: { code: 'already_active' } })
  expect(await move(rex, rex)).toMatchObject({ status: 400, body: { code: 'no_change' } })
  expect((await move(rex, SEED.devices.george)).status).toBe(404)
  await change(misty, { subState: 'ended', subEndDate: new Date('2025-01-01T00:00:00Z') })
  expect(await move(misty, rex)).toMatchObject({ status: 409, body: { code: 'subscription_required' } })
  await change(misty, { isLinkedToPro: true })
  expect(await move(rex, misty)).toMatchObject({ status: 409, body: { code: 'device_linked_to_pro' } })
})
