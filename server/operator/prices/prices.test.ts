import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addMonths } from '#contracts/rules/subscription.ts'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import { subscriptions } from '#db/schema/commerce.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { operatePrices } from './prices-command.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

async function openDesk(portal: Portal, role: 'finance' | 'admin' = 'finance', name = 'Fay') {
  const staff = await signInStaffAs(portal.world, { email: `${name.toLowerCase()}@shop.example`, name, role })
  const start = portal.clock.now().getTime()
  return {
    on: (days: number) => formatInstant(new Date(start + days * DAY_MS)),
    send: (method: string, path: string, body?: unknown, headers = {}) =>
      portal.call(null, method, `/operator/api/${path}`, body, { ...staff, ...headers }),
  }
}

const countRunning = async ({ world }: Portal, price: string) =>
  (await world.db.read.select().from(subscriptions).where(eq(subscriptions.priceId, price))).filter(
    ({ providerId, isRecurring }) => providerId !== null && isRecurring,
  )

test('a new price is coming until its day, holds from then on, and stands in history and log', async () => {
  await using portal = await startPortal()
  const { on, send } = await openDesk(portal, 'admin')
  const set = await send('POST', 'prices/changes/', { price: 'eur-12m', amount: 1695, from: on(10) })
  expect(set).toMatchObject({
    status: 200,
    body: { amount: 1695, former_amount: 1495, currency: 'eur', state: 'coming', mails_from: null },
  })
  const find = async (desk: Pick<Awaited<ReturnType<typeof openDesk>>, 'send'>) =>
    (await desk.send('GET', 'prices/')).body.prices.find(({ id }: { id: string }) => id === 'eur-12m')
  expect(await find({ send })).toMatchObject({ amount: 1495, coming: [{ id: set.body.id, amount: 1695 }] })
  portal.clock.set({ at: new Date(on(10)) })
  const later = await openDesk(portal, 'admin', 'Ann')
  expect(await find(later)).toMatchObject({ amount: 1695, coming: [] })
  expect((await later.send('GET', 'prices/changes/?price=eur-12m')).body).toMatchObject({
    changes: [{ state: 'begun', amount: 1695 }],
    next: null,
  })
  expect((await later.send('GET', 'deeds/')).body.deeds).toMatchObject([
    { kind: 'price_set', subject: 'eur-12m', who: 'Fay', detail: { amount: '16.95', former: '14.95', currency: 'EUR', running: 'keep' } },
  ])
})

test('the preview counts running renewals, owners, mails and the sum per year, and changes nothing', async () => {
  await using portal = await startPortal()
  const { on, send } = await openDesk(portal)
  const running = await countRunning(portal, 'eur-12m')
  expect(running.length).toBeGreaterThan(0)
  const body = { price: 'eur-12m', amount: 1695, from: on(45), running: 'change' }
  const { body: met } = await send('POST', 'prices/preview/', body)
  expect(met).toMatchObject({
    ...{ renewing: running.length, changed: running.length, holding: 0, mails_from: on(15) },
    ...{ year_before: running.length * 1495, year_after: running.length * 1695 },
  })
  expect(met.owners).toBe(met.mails)
  expect(new Date(met.first_renewal).getTime()).toBeGreaterThanOrEqual(new Date(on(45)).getTime())
  const kept = await send('POST', 'prices/preview/', { ...body, running: 'keep' })
  expect(kept.body).toMatchObject({ renewing: running.length, changed: 0, owners: 0, mails: 0, first_renewal: null, mails_from: null })
  expect(kept.body.year_after).toBe(kept.body.year_before)
  expect((await send('GET', 'prices/changes/')).body.changes).toEqual([])
})

test('the preview counts renewals that cost the new amount already', async () => {
  await using portal = await startPortal()
  const { on, send } = await openDesk(portal)
  const [one, ...others] = await countRunning(portal, 'eur-12m')
  await portal.world.db.write('everything', (tx) =>
    tx.update(subscriptions).set({ renewalAmount: 1695 }).where(eq(subscriptions.id, one!.id)),
  )
  const { body } = await send('POST', 'prices/preview/', { price: 'eur-12m', amount: 1695, from: on(45), running: 'change' })
  expect(body).toMatchObject({ renewing: others.length + 1, changed: others.length, holding: 1 })
})

test('the first renewal at a new price is found beyond renewals that come before its day', async () => {
  await using portal = await startPortal()
  const { on, send } = await openDesk(portal)
  const renewsAt = new Date(on(5))
  await portal.world.db.write('everything', (tx) => tx.update(subscriptions).set({ renewsAt }).where(eq(subscriptions.priceId, 'eur-1m')))
  const from = on(70)
  const { body } = await send('POST', 'prices/preview/', { price: 'eur-1m', amount: 249, from, running: 'change' })
  expect(body.first_renewal).toBe(formatInstant(addMonths(renewsAt, 3)))
})

test('of two colleagues who set the same price for the same day, the second one is refused and learns who was first', async () => {
  await using portal = await startPortal()
  const [fay, ben] = [await openDesk(portal), await openDesk(portal, 'finance', 'Ben')]
  const body = { price: 'eur-12m', amount: 1695, from: fay.on(40) }
  const answers = await Promise.all([
    fay.send('POST', 'prices/changes/', body),
    ben.send('POST', 'prices/changes/', { ...body, amount: 1795 }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const [set, refused] = answers.toSorted((a, b) => a.status - b.status)
  expect(refused!.body).toMatchObject({ code: 'price_planned', amount: set!.body.amount, who: set!.body.created_by, from: fay.on(40) })
})

test('a coming price is withdrawn once, and one that holds cannot be withdrawn', async () => {
  await using portal = await startPortal()
  const { on, send } = await openDesk(portal)
  const set = async (days: number) =>
    (await send('POST', 'prices/changes/', { price: 'eur-12m', amount: 1695 + days, from: on(days) })).body.id
  const [withdrawn, begun] = [await set(3), await set(1)]
  expect(await send('POST', `prices/changes/${withdrawn}/cancel/`, {})).toMatchObject({ status: 200, body: { state: 'withdrawn' } })
  const wrong = (state: string) => ({ status: 409, body: { code: 'wrong_step', state } })
  expect(await send('POST', `prices/changes/${withdrawn}/cancel/`, {})).toMatchObject(wrong('withdrawn'))
  expect((await send('POST', 'prices/changes/999/cancel/', {})).status).toBe(404)
  expect(await set(3)).toBeGreaterThan(begun)
  portal.clock.set({ at: new Date(on(1)) })
  const later = await openDesk(portal, 'finance', 'Ben')
  expect(await later.send('POST', `prices/changes/${begun}/cancel/`, {})).toMatchObject(wrong('begun'))
})

type Refused = { from?: number; price?: string; amount?: number; running?: 'change' }

test.each<[string, Refused, string]>([
  ['a day in the past', { from: -1 }, 'from'],
  ['a rise for running renewals before its days of notice', { from: 29, running: 'change' }, 'from'],
  ['an amount that holds already', { amount: 1495 }, 'amount'],
  ['an amount that is not whole', { amount: 14.5 }, 'amount'],
  ['fillér of a forint', { price: 'huf-12m', amount: 699_050 }, 'amount'],
  ['renewals of a price that is paid once', { price: 'eur-12m-once', amount: 1995, running: 'change', from: 40 }, 'running'],
])('%s is refused with the field', async (_, { from = 1, ...change }, field) => {
  await using portal = await startPortal()
  const { on, send } = await openDesk(portal)
  const body = { price: 'eur-12m', amount: 1695, ...change, from: on(from) }
  for (const path of ['prices/changes/', 'prices/preview/'])
    expect(await send('POST', path, body)).toMatchObject({ status: 400, body: { errors: { [field]: expect.anything() } } })
})

test('a lower price may hold for running renewals at once, and an unknown price is not found', async () => {
  await using portal = await startPortal()
  const { send } = await openDesk(portal)
  expect((await send('POST', 'prices/changes/', { price: 'eur-12m', amount: 1295, running: 'change' })).status).toBe(200)
  expect((await send('POST', 'prices/changes/', { price: 'eur-99m', amount: 1295 })).status).toBe(404)
})

test('a repeat with the same idempotency key sets a price once', async () => {
  await using portal = await startPortal()
  const { on, send } = await openDesk(portal)
  const body = { price: 'eur-12m', amount: 1695, from: on(10) }
  const first = await send('POST', 'prices/changes/', body, { 'idempotency-key': 'p1' })
  expect((await send('POST', 'prices/changes/', body, { 'idempotency-key': 'p1' })).body).toEqual(first.body)
})

test('the program sets, lists and withdraws a price, and says why it refuses', async () => {
  await using portal = await startPortal()
  const printed: string[] = []
  const { db, clock } = portal.world
  const run = (...args: string[]) => operatePrices({ db, clock, print: (line) => printed.push(line) }, args)
  const from = formatInstant(new Date(clock.now().getTime() + 40 * DAY_MS)).slice(0, 10)
  await run('set', 'eur-12m', '16.95', `--from=${from}`, '--running=change')
  expect(printed.at(-1)).toContain(`eur-12m costs 16.95 EUR instead of 14.95 EUR from ${from}T00:00:00Z on (change `)
  const id = /change (\d+)/.exec(printed.at(-1)!)![1]!
  await expect(run('set', 'eur-12m', '17.95', `--from=${from}`)).rejects.toThrow('operator.js has set another amount for that day')
  await expect(run('set', 'eur-12m', '16.955')).rejects.toThrow('amount')
  await expect(run('set', 'eur-99m', '16.95')).rejects.toThrow('There is no price eur-99m.')
  await run('set', 'jpy-12m', '2600')
  expect(printed.at(-1)).toContain('jpy-12m costs 2600 JPY instead of 2500 JPY')
  await run('cancel', id)
  expect(printed.at(-1)).toContain('is withdrawn')
  await run('history')
  expect(JSON.parse(printed.find((line) => line.includes(`"id":${id},`) && line.includes('withdrawn'))!)).toMatchObject({
    id: Number(id),
    state: 'withdrawn',
  })
})
