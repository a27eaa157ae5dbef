import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import { devices } from '#db/schema/devices.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { pauseEnd } from './pause-end.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const PAUSES = '/users/plan_pauses/'
const REQUESTS = '/operator/api/requests/'
const { misty, oldTracker, george, stolenScooter } = SEED.devices
const END = new Date('2030-01-01T00:00:00Z')

let portal: Portal
let nora: Record<string, string>
beforeEach(async () => {
  portal = await startPortal()
  nora = await signInStaffAs(portal.world, { email: 'nora@shop.example', name: 'Nora King', role: 'support' })
  await change(misty, { subEndDate: END })
  return () => portal[Symbol.asyncDispose]()
})

const change = (id: number, values: Partial<typeof devices.$inferInsert>) =>
  portal.world.db.write([], (tx) => tx.update(devices).set(values).where(eq(devices.id, id)))
const inDays = (days: number) => formatInstant(new Date(portal.clock.now().getTime() + days * DAY_MS))
const later = (date: Date, days: number) => formatInstant(new Date(date.getTime() + days * DAY_MS))
const pause = (tracker: number, days: number) => portal.call(ALICE, 'POST', PAUSES, { tracker, until: inDays(days) })
const resume = (tracker = misty) => portal.call(ALICE, 'POST', `${PAUSES}resume/`, { tracker })
const ask = (tracker: number, days: number) =>
  portal.call(ALICE, 'POST', `${PAUSES}requests/`, { tracker, until: inDays(days), message: 'Winter.' })
const readPauses = async (tracker = misty) => (await portal.call(ALICE, 'GET', `${PAUSES}${tracker}/`)).body
const deviceOf = async (id = misty) => (await portal.call(ALICE, 'GET', `/devices/${id}/`)).body
const decide = (reference: string, deed: 'accept' | 'refuse', body?: object) =>
  portal.call(null, 'POST', `${REQUESTS}${reference}/${deed}/`, body, nora)
const passDays = async (days: number) => {
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + days * DAY_MS) })
  await runDue(portal.world, portal.clock.now(), { jobs: [pauseEnd] })
}
const templatesTo = async (email: string) =>
  ((await portal.call(null, 'GET', `/mock/mail?to=${email}`)).body as { template: string }[]).map(({ template }) => template)
const report = async () => {
  const { identifier } = await deviceOf()
  const positions = [{ lat: 52.5, lng: 13.4, precision: 9, datetime: formatInstant(portal.clock.now()) }]
  await portal.call(null, 'POST', '/devices/ingest/', { identifier, positions }, { 'x-device-key': DEVICE_KEY })
}

test('a paused tracker shows the state of before the pause, refuses modes, and its end moves by the paused time', async () => {
  expect(await readPauses()).toMatchObject({ can_pause: true, per_year: 1, max_days: 90, together: [], request: null })
  const { last_position } = (await deviceOf()).tracker_status
  expect(await pause(misty, 40)).toMatchObject({ status: 200, body: [{ tracker: misty, sub_end_date: later(END, 40) }] })
  await passDays(1)
  await report()
  const paused = await deviceOf()
  expect(paused.tracker_status).toMatchObject({ sub_state: 'active', sub_end_date: later(END, 40), last_position })
  expect(paused).toMatchObject({ paused_until: inDays(39) })
  const boost = await portal.call(ALICE, 'POST', `/devices/${misty}/realtime_boost/`, { duration_minutes: 60 })
  expect(boost).toMatchObject({ status: 409, body: { code: 'subscription_required' } })
  expect(await templatesTo(ALICE)).toContain('plan_paused')
})

test('a pause ends by itself on its day with one mail, and shows what was reported meanwhile', async () => {
  await pause(misty, 10)
  await passDays(9)
  await report()
  const reportedAt = formatInstant(portal.clock.now())
  await passDays(1)
  const shown = await deviceOf()
  expect(shown).not.toHaveProperty('paused_until')
  expect(shown.tracker_status).toMatchObject({ sub_end_date: later(END, 10), last_position: { datetime: reportedAt } })
  await passDays(1)
  expect((await templatesTo(ALICE)).filter((template) => template === 'plan_resumed')).toHaveLength(1)
  expect((await resume()).body.code).toBe('no_change')
})

test('resuming early gives back the rest of the pause, and a second click changes nothing', async () => {
  await pause(misty, 40)
  await passDays(5)
  const both = await Promise.all([resume(), resume()])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  expect((await deviceOf()).tracker_status.sub_end_date).toBe(later(END, 5))
  await passDays(40)
  expect((await templatesTo(ALICE)).filter((template) => template === 'plan_resumed')).toHaveLength(1)
  const { entries } = (await portal.call(ALICE, 'GET', '/users/security_log/')).body
  expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual(expect.arrayContaining(['own_plan_paused', 'own_plan_resumed']))
})

test('two clicks on pause pause a plan once', async () => {
  const both = await Promise.all([pause(misty, 40), pause(misty, 40)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  expect((await deviceOf()).tracker_status.sub_end_date).toBe(later(END, 40))
})

test('a second pause within a year and one of more days than allowed need support', async () => {
  expect((await pause(misty, 91)).body.code).toBe('pause_limit')
  await pause(misty, 10)
  await resume()
  expect((await pause(misty, 10)).body.code).toBe('pause_limit')
  expect(await readPauses()).toMatchObject({ can_pause: false, next_at: inDays(365) })
  await passDays(365)
  expect((await pause(misty, 10)).status).toBe(200)
})

test('support decides a request for a longer pause, and the limit of the owner stays as it was', async () => {
  const asked = await ask(misty, 200)
  expect(asked.status).toBe(201)
  expect((await ask(misty, 200)).body.code).toBe('request_pending')
  const { reference } = asked.body
  const { requests } = (await portal.call(null, 'GET', REQUESTS, undefined, nora)).body
  expect(requests.find((each: { reference: string }) => each.reference === reference)).toMatchObject({
    kind: 'plan_pause',
    move: null,
    pause: { tracker: { id: misty, name: 'Misty' }, own_pauses: 0 },
  })
  expect(await decide(reference, 'accept')).toMatchObject({ status: 200, body: { status: 'accepted' } })
  expect((await deviceOf()).tracker_status.sub_end_date).toBe(later(END, 200))
  await resume()
  expect((await pause(misty, 10)).status).toBe(200)
})

test('a refused request pauses nothing, and the owner gets the reason by mail', async () => {
  const { reference } = (await ask(misty, 200)).body
  expect((await decide(reference, 'refuse', { reason: 'Too long.' })).status).toBe(200)
  expect(await deviceOf()).not.toHaveProperty('paused_until')
  expect(await templatesTo(ALICE)).toContain('plan_pause_refused')
})

test('an owner withdraws an open request once, and support cannot decide it any more', async () => {
  const { reference } = (await ask(misty, 200)).body
  const withdraw = () => portal.call(ALICE, 'DELETE', `${PAUSES}requests/${reference}/`)
  expect((await portal.call('dario@example.com', 'DELETE', `${PAUSES}requests/${reference}/`)).status).toBe(404)
  expect((await portal.call(ALICE, 'DELETE', `/users/plan_moves/requests/${reference}/`)).status).toBe(404)
  expect((await withdraw()).status).toBe(200)
  expect(await withdraw()).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  expect(await decide(reference, 'accept')).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  expect((await readPauses()).request).toBeNull()
})

test('pausing is refused for a plan that cannot be paused, and so is a request to pause it', async () => {
  const refusals = async (tracker: number, days = 10) => {
    const answers = [await pause(tracker, days), await ask(tracker, days)]
    return answers.map(({ body }) => body.code)
  }
  expect(await refusals(oldTracker)).toEqual(['subscription_required', 'subscription_required'])
  expect(await refusals(george)).toEqual(['not_found', 'not_found'])
  expect(await refusals(misty, 366)).toEqual(['validation_error', 'validation_error'])
  expect(await refusals(misty, -1)).toEqual(['validation_error', 'validation_error'])
  await change(stolenScooter, { subState: 'active', subEndDate: END })
  expect(await refusals(stolenScooter)).toEqual(['reported_missing', 'reported_missing'])
  await change(misty, { subEndDate: null })
  expect(await refusals(misty)).toEqual(['not_pausable', 'not_pausable'])
  await change(misty, { subEndDate: END, isLinkedToPro: true })
  expect(await refusals(misty)).toEqual(['device_linked_to_pro', 'device_linked_to_pro'])
  await change(misty, { isLinkedToPro: false })
  await pause(misty, 10)
  expect(await refusals(misty)).toEqual(['no_change', 'no_change'])
})

test('moving a paused plan is refused, and so is a request to move it', async () => {
  await pause(misty, 10)
  const trackers = { from: misty, to: oldTracker }
  for (const moved of [
    await portal.call(ALICE, 'POST', '/users/plan_moves/', trackers),
    await portal.call(ALICE, 'POST', '/users/plan_moves/requests/', { ...trackers, message: 'Winter.' }),
  ])
    expect(moved).toMatchObject({ status: 409, body: { code: 'plan_paused' } })
})

test('support pauses beyond the limits and resumes, and the owner sees who did it', async () => {
  const account = (await portal.call(null, 'GET', '/operator/api/customers/?q=alice@example.com', undefined, nora)).body.customers[0]
    .account
  const send = (deed: string, body: object) => portal.call(null, 'POST', `/operator/api/customers/${account}/plan/${deed}/`, body, nora)
  expect((await send('pause', { tracker: misty, until: inDays(300) })).status).toBe(200)
  const read = async () => (await portal.call(null, 'GET', `/operator/api/customers/${account}/`, undefined, nora)).body
  const shown = (await read()).trackers.find(({ id }: { id: number }) => id === misty)
  expect(shown).toMatchObject({ service: 'resting', paused_until: inDays(300) })
  expect((await send('resume', { tracker: misty })).status).toBe(200)
  const { entries } = (await portal.call(ALICE, 'GET', '/users/security_log/')).body
  expect(entries.slice(0, 3).map(({ kind, who }: { kind: string; who: string }) => [kind, who])).toEqual(
    expect.arrayContaining([
      ['plan_paused', 'Nora King'],
      ['plan_resumed', 'Nora King'],
    ]),
  )
})
