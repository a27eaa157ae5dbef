import type { Page } from '@playwright/test'
import { connect } from '#contracts/mock/connect.ts'
import { control } from '#contracts/mock/index.ts'
import { clockOf } from '#e2e/fixture/clock.ts'
import { expect, test } from './portal.ts'

const now = (page: Page) => page.evaluate(() => Date.now())
const ANCHOR = Date.parse('2026-03-02T09:00:00Z')

test('a person is signed in on the page as it stands, or on the one that comes next', async ({ page, as, open }) => {
  await as('dario')
  await open('/')
  await expect(page.getByText('No tracker yet')).toBeVisible()
  await as('alice')
  await expect(page.getByRole('heading', { name: 'Trackers 18' })).toBeVisible()
})

test('time stands still, moves and goes on for server and page alike', async ({ page, world, open }) => {
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

test('what the page asks while time is moved is answered when both have moved', async ({ page, world, open, baseURL }) => {
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
  await clockOf({ ...clock, advance }, page).advance('P1D')
  expect(await answeredAt).toBe(ANCHOR + 86_400_000)
})

test('a checkout is left, and one that has ended says so', async ({ page, world, open }) => {
  await open('/subscription?devices=2.eur-12m-once', 'alice')
  await page.getByRole('button', { name: 'Pay by card' }).click()
  await world.pay.cancel()
  await expect(page).toHaveURL(/\/subscription/)
  await page.getByRole('button', { name: 'Pay by card' }).click()
  await world.pay.expire()
  await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0)
  await expect(page).toHaveURL(/\/checkout\//)
})

test('who asserts a call that was not made is told what came closest', async ({ world }) => {
  await world.api('alice').places.list({ query: {} })
  const asked = world.requests.verify({ body: { route: 'places.list', persona: 'bruno' } })
  await expect(asked).rejects.toThrow(/call 1, GET \/tracker_places\/ \(200\): persona/)
  await expect(world.mail.linkTo('nobody@example.com', 'invitation')).rejects.toThrow('404 nothing_came')
})

test.describe('another beginning', () => {
  test.use({ scenario: 'theft', seed: 7 })
  test('scenario and seed are chosen, and nobody is there whom the scenario does not have', async ({ world }) => {
    expect(await world.worlds.read({ params: { id: world.id } })).toMatchObject({ scenario: 'theft', seed: 7 })
    expect(() => world.persona('haruka')).toThrow(/^Nobody in theft is called haruka: there are alice/)
  })
})
