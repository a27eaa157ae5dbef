import type { Page } from '@playwright/test'
import { connect } from '#contracts/mock/connect.ts'
import { control } from '#contracts/mock/index.ts'
import { createClock } from '#e2e/fixture/clock.ts'
import { expect, test } from '#e2e/portal.ts'

const now = (page: Page) => page.evaluate(() => Date.now())
const ANCHOR = Date.parse('2026-03-02T09:00:00Z')

test('signing in reloads an open portal, and otherwise takes effect on the next page', async ({ page, as, open }) => {
  await as('dario')
  await open('/')
  await expect(page.getByRole('heading', { name: 'What do you want to find?' })).toBeVisible()
  await as('alice')
  await expect(page.getByRole('heading', { name: 'Trackers 18' })).toBeVisible()
})

test('freezing, moving and resuming time affects server and page alike', async ({ page, world, open }) => {
  await open('/login')
  expect([await now(page), (await world.clock.now()).getTime()]).toEqual([ANCHOR, ANCHOR])
  await world.clock.advance('P1D')
  expect([await now(page), (await world.clock.now()).getTime()]).toEqual([ANCHOR + 86_400_000, ANCHOR + 86_400_000])
  await world.clock.set({ mode: 'flow' })
  const before = [await now(page), (await world.clock.now()).getTime()] as const
  await expect.poll(() => now(page)).toBeGreaterThan(before[0])
  await expect.poll(async () => (await world.clock.now()).getTime()).toBeGreaterThan(before[1])
  await world.clock.set({ at: '2026-03-05T12:00:00Z', mode: 'frozen' })
  expect(await now(page)).toBe(Date.parse('2026-03-05T12:00:00Z'))
})

test('requests of the page during a time jump are answered after the jump', async ({ page, world, open, baseURL }) => {
  await open('/login')
  const { clock } = connect(control, { base: baseURL!, world: world.id })
  let answeredAt: Promise<number> | undefined
  const advance: typeof clock.advance = async (how) => {
    const leap = await clock.advance(how)
    answeredAt = page.evaluate(() => fetch('/healthz').then(() => Date.now()))
    await page.waitForRequest('**/healthz')
    await page.evaluate(() => 'whatever came before it has come')
    return leap
  }
  await createClock({ ...clock, advance }, page).advance('P1D')
  expect(await answeredAt).toBe(ANCHOR + 86_400_000)
})

test('a checkout can be cancelled, and an expired one says so', async ({ page, world, open }) => {
  await open('/subscription?devices=2.eur-12m-once', 'alice')
  await page.getByRole('button', { name: 'Pay by card' }).click()
  await world.pay.cancel()
  await expect(page).toHaveURL(/\/subscription/)
  await page.getByRole('button', { name: 'Pay by card' }).click()
  await world.pay.expire()
  await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0)
  await expect(page).toHaveURL(/\/checkout\//)
})

test('a declined card shows the reason as to a shopper who typed it', async ({ page, world, open }) => {
  await open('/subscription?devices=2.eur-12m-once', 'alice')
  await page.getByRole('button', { name: 'Pay by card' }).click()
  await world.pay.complete('declined')
  await expect(page.getByRole('alert')).toHaveText('The card was declined. Try another one.')
  await world.pay.complete('success')
  await expect(page).not.toHaveURL(/\/checkout\//)
})

test('a visitor is another user in the same world, and the clock moves both', async ({ page, world, open }) => {
  await open('/tags', 'alice')
  const bruno = await world.visitor('bruno')
  await bruno.open('/')
  await expect(bruno.page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(bruno.page.getByText('Rex')).toHaveCount(0)
  await world.clock.advance('P1D')
  expect([await now(page), await now(bruno.page)]).toEqual([ANCHOR + 86_400_000, ANCHOR + 86_400_000])
  await bruno.close()
  await world.clock.advance('P1D')
  expect(await now(page)).toBe(ANCHOR + 2 * 86_400_000)
})

test('a rejected call of a client has an error code', async ({ world }) => {
  const call = world.api('alice').devices.status({ params: { id: 999 } })
  await expect(call).rejects.toMatchObject({ name: 'Error', status: 404, code: 'not_found' })
})

test('a failed assertion about a request lists the closest requests', async ({ world }) => {
  await world.api('alice').places.list({ query: {} })
  const asked = world.requests.verify({ body: { route: 'places.list', persona: 'bruno' } })
  await expect(asked).rejects.toThrow(/request 1, GET \/tracker_places\/ \(200\): persona/)
  await expect(world.mail.linkTo('nobody@example.com', 'invitation')).rejects.toThrow('404 nothing_came')
})

test.describe('another scenario', () => {
  test.use({ scenario: 'theft', seed: 7 })
  test('scenario and seed can be chosen, and a persona missing from the scenario is an error', async ({ world }) => {
    expect(await world.worlds.read({ params: { id: world.id } })).toMatchObject({ scenario: 'theft', seed: 7 })
    expect(() => world.persona('haruka')).toThrow(/^The scenario theft has no persona haruka; it has alice/)
  })
})

test.describe('a scenario with a size', () => {
  test.use({ scenario: 'crowd', size: 12 })
  test('the number of trackers can be chosen', async ({ world }) => {
    expect(await world.api('admin').devices.list({ query: { type: 'tracker' } })).toHaveLength(12)
  })
})
