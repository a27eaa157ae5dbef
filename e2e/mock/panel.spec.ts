import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page, Route } from '@playwright/test'
import { guidelines, rules, runAxe } from '#e2e/axe.ts'
import { expect, test } from '#e2e/portal.ts'
import { inTheme } from '#e2e/show.ts'

const TABS = [
  'People',
  'Clock',
  'Requests',
  'Faults',
  'Mail',
  'Payments',
  'Fleet',
  'Networks',
  'Host app',
  'Languages',
  'Snapshots',
] as const

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Developer panel' })
const openerOf = (page: Page) => page.getByRole('button', { name: 'Dev', exact: true })
const tabOf = (page: Page, name: string) => panelOf(page).getByRole('tab', { name })
const statusOf = (page: Page) => panelOf(page).getByRole('status')
const press = (page: Page, name: string) => panelOf(page).getByRole('button', { name, exact: true }).click()

async function choose(page: Page, name: (typeof TABS)[number]) {
  await tabOf(page, name).click()
  await expect(panelOf(page).getByRole('tabpanel', { name }).getByRole('heading').first()).toBeVisible()
}

type Open = (path: string, persona?: string) => Promise<void>

async function openPanel(page: Page, open: Open, address = '/places', persona = 'alice') {
  await open(`${address}?panel=1`, persona)
  await openerOf(page).click()
  await expect(panelOf(page)).toBeVisible()
}

test("the panel opens, switches tabs and closes by keyboard, and keys typed in it don't reach the portal", async ({ page, open }) => {
  await open('/places?panel=1', 'alice')
  await expect(openerOf(page)).toHaveAttribute('aria-expanded', 'false')
  await expect(panelOf(page)).toHaveCount(0)
  await page.keyboard.press('Alt+Shift+W')
  await expect(tabOf(page, 'People')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(tabOf(page, 'Clock')).toBeFocused()
  await expect(tabOf(page, 'Clock')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('End')
  await expect(tabOf(page, 'Snapshots')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowUp')
  await expect(tabOf(page, 'Snapshots')).toBeFocused()
  const name = panelOf(page).getByLabel('Name').first()
  await name.fill('')
  await name.pressSequentially('?g')
  await expect(name).toHaveValue('?g')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(panelOf(page)).toHaveCount(0)
  await expect(openerOf(page)).toBeFocused()
  await expect(openerOf(page)).toHaveAttribute('aria-expanded', 'false')
})

test('the panel is hidden in tests and after it was dismissed, until it is requested again', async ({ page, open }) => {
  await open('/places', 'alice')
  await expect(page.getByRole('heading', { name: 'Places' })).toBeVisible()
  await expect(page.locator('developer-panel')).toHaveCount(0)
  for (const [query, count] of [
    ['?panel=1', 1],
    ['', 1],
    ['?panel=0', 0],
    ['', 0],
  ] as const) {
    await open(`/places${query}`)
    await expect(page.getByRole('heading', { name: 'Places' })).toBeVisible()
    await expect(page.locator('developer-panel')).toHaveCount(count)
  }
})

test('the panel tells an unauthorised user where to sign in', async ({ page, open }) => {
  await page.route('**/mock', (route) => route.fulfill({ status: 403, json: { detail: 'No.', code: 'permission_denied' } }))
  await openPanel(page, open)
  await expect(statusOf(page)).toContainText('GET /mock: 403 permission_denied')
  await expect(statusOf(page).getByRole('link')).toHaveAttribute('href', '/mock/mailbox')
})

test('the panel shows a switch once its state is known', async ({ page, open }) => {
  const held = new Promise<Route>((resolve) => void page.route('**/mock/faults', resolve))
  await openPanel(page, open)
  await tabOf(page, 'Faults').click()
  const list = await held
  await expect(panelOf(page).getByRole('switch')).toHaveCount(0)
  await list.continue()
  await expect(panelOf(page).getByRole('switch', { name: 'offline' })).toHaveAttribute('aria-checked', 'false')
})

test('the panel switches persona, time and world', async ({ page, open, world }) => {
  await openPanel(page, open)
  await press(page, 'Dario Donati dario@example.com, it')
  await expect(page.locator('html')).toHaveAttribute('lang', 'it')
  await expect(statusOf(page)).toHaveText('Signed in as dario')
  await choose(page, 'Clock')
  await press(page, '1 day')
  await expect(statusOf(page)).toContainText('2026-03-02 09:00:00 UTC → 2026-03-03 09:00:00 UTC')
  expect(await world.clock.now()).toEqual(new Date('2026-03-03T09:00:00Z'))
  await press(page, '×60')
  await expect(panelOf(page)).toContainText('goes by ×60')
  await press(page, 'Freeze')
  await expect(panelOf(page)).toContainText('stands still')
  await press(page, 'Position')
  await expect(statusOf(page)).toContainText('positions')
  await choose(page, 'People')
  const [reset, other] = await panelOf(page).getByLabel('Scenario').all()
  await other!.selectOption('empty')
  await press(page, 'New world')
  await expect(statusOf(page)).toContainText('of empty is there')
  const id = /^World (\S+)/.exec((await statusOf(page).textContent()) ?? '')?.[1]
  await expect(panelOf(page).getByRole('link', { name: id! })).toHaveAttribute('href', new RegExp(`//w-${id}\\.localhost:`))
  await press(page, `End ${id}`)
  await expect(panelOf(page).getByRole('link', { name: id! })).toHaveCount(0)
  await reset!.selectOption('empty')
  await press(page, 'Reset')
  await expect(statusOf(page)).toHaveText('The world is that of empty again')
  expect((await world.worlds.about()).world.scenario).toBe('empty')
})

test.describe('lists of the panel', () => {
  test.use({ violations: 'allowed' })

  test('the panel lists requests, problems and mails as they happen', async ({ page, open, world }) => {
    await openPanel(page, open)
    await choose(page, 'Requests')
    await world.api('alice').places.list({ query: {} })
    // The portal sends further requests meanwhile, which are listed above this one.
    const call = panelOf(page).getByRole('listitem').filter({ hasText: 'GET/tracker_places/200' }).last()
    await call.getByRole('button').click()
    await expect(call).toContainText('places.list · alice@example.com')
    await expect(call.getByLabel('Answer')).toContainText('"name": "Cabin"')

    await choose(page, 'Faults')
    await panelOf(page).getByRole('switch', { name: 'contract drift' }).click()
    await expect(panelOf(page).getByRole('switch', { name: 'contract drift' })).toBeChecked()
    await world
      .api('alice')
      .users.settings()
      .catch(() => undefined)
    await expect(panelOf(page).getByText('1 of 1 calls').first()).toBeVisible()
    await panelOf(page).getByRole('switch', { name: 'contract drift' }).click()
    await expect(panelOf(page).getByRole('switch', { name: 'contract drift' })).not.toBeChecked()
    await panelOf(page).getByLabel('Call or path').fill('no.such')
    await press(page, 'Set')
    await expect(statusOf(page)).toContainText('POST /mock/faults: 400 validation_error match.route: No call of the API is named so')
    await panelOf(page).getByLabel('Call or path').fill('places.list')
    await press(page, 'Set')
    await expect(panelOf(page).getByText('"route":"places.list"')).toBeVisible()
    await expect(statusOf(page)).toBeEmpty()
    await expect(world.api('alice').places.list({ query: {} })).rejects.toThrow('500')

    await choose(page, 'Requests')
    await expect(panelOf(page)).toContainText(/[1-9]\d* violations? of the contract/)
    await expect(panelOf(page).getByText('drift', { exact: true }).first()).toBeVisible()
    await press(page, 'Forget violations')
    await expect(panelOf(page)).toContainText('0 violations')
    await press(page, 'Forget calls')
    await expect(panelOf(page).getByRole('listitem')).toHaveCount(0)

    await choose(page, 'Mail')
    await world.api().sessions.requestReset({ body: { email: 'alice@example.com' } })
    const mail = panelOf(page).getByRole('listitem').first()
    await mail.getByRole('button', { name: 'Set a new password' }).click()
    await expect(mail.getByRole('link').first()).toHaveAttribute('href', /password/)
    await expect(mail.frameLocator('iframe').getByRole('link').first()).toBeVisible()
  })
})

test('the panel steers cards and trackers', async ({ page, open, world }) => {
  const [alice, george] = [world.api('alice'), world.api('george')]
  const [lapsed] = await george.devices.list({ query: {} })
  await george.subscriptions.pay({ body: { items: [{ device: lapsed!.id, price: 'gbp-1m' }] } })
  await openPanel(page, open)
  await choose(page, 'Payments')
  await panelOf(page).getByLabel('Card').selectOption('declined')
  await press(page, 'Pay')
  await expect(statusOf(page)).toHaveText('The checkout was refused: declined')
  await press(page, 'Pay')
  await expect(statusOf(page)).toHaveText('The checkout was paid')
  expect((await george.devices.status({ params: { id: lapsed!.id } })).sub_state).toBe('active')
  await panelOf(page).getByLabel('Webhook').selectOption('manual')
  await press(page, 'Set')
  await expect(statusOf(page)).toHaveText('The webhook is told: manual')
  await panelOf(page).getByLabel('Outcome').selectOption('declined')
  await press(page, 'Renew')
  await expect(statusOf(page)).toContainText('The renewal was refused')
  await expect(panelOf(page).getByText('waiting').first()).toBeVisible()
  await press(page, 'Deliver what waits')
  await expect(statusOf(page)).toContainText('events delivered')
  await expect(panelOf(page).getByText('waiting')).toHaveCount(0)

  await choose(page, 'Fleet')
  const tracker = Number(await panelOf(page).getByLabel('Tracker').inputValue())
  const home = (await alice.places.list({ query: {} })).find(({ name }) => name === 'Home')!
  await panelOf(page).getByLabel('Place').selectOption('Home')
  await press(page, 'Out of it')
  await expect(statusOf(page)).toHaveText('accepted: 1, ignored: 0')
  const seen = async () => (await alice.devices.status({ params: { id: tracker } })).last_position
  expect((await seen())!.lat).toBeGreaterThan(home.lat)
  await panelOf(page).getByLabel('Battery').fill('4')
  await press(page, 'Drain battery')
  await expect.poll(async () => (await alice.devices.status({ params: { id: tracker } })).battery).toBe(4)
  await press(page, 'Drive')
  await expect(statusOf(page)).toContainText('there at')
  await expect(panelOf(page)).toContainText('drives until')
  await press(page, 'Silent for a day')
  await expect(panelOf(page)).toContainText('silent until 2026-03-03')
})

test('the panel lists what was sent through networks as it happens', async ({ page, open, world }) => {
  const alice = world.api('alice')
  await openPanel(page, open)
  await choose(page, 'Networks')
  await expect(panelOf(page)).toContainText('Nothing yet.')
  const device = (await alice.devices.list({ query: {} })).find(({ name }) => name === 'Rex')!.id
  const dev_eui = '70b3d57ed005a1f2'
  await alice.networkNumbers.save({ params: { id: device }, body: { imei: null, dev_eui, sigfox: null } })
  const { key } = await alice.networkKeys.create({ body: {} })
  const hook = 'https://eu1.cloud.thethings.network/api/v3/as/applications/dogs/webhooks/portal/devices/rex/down/replace'
  const status = await page.evaluate(
    async ([key, hook, dev_eui]) => {
      const uplink = { end_device_ids: { device_id: 'rex', dev_eui }, uplink_message: { f_cnt: 1, received_at: '2026-03-02T09:00:00Z' } }
      const headers = { 'x-device-key': key, 'x-downlink-replace': hook, 'x-downlink-apikey': 'NNSXS.KEY' }
      const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(uplink) }
      return (await fetch('/ingest/tts', init)).status
    },
    [key, hook, dev_eui] as const,
  )
  expect(status).toBe(200)
  await alice.devices.setMode({ params: { id: device }, body: { mode: 22 } })
  await panelOf(page)
    .getByRole('button', { name: /thethings/ })
    .click()
  await expect(panelOf(page)).toContainText('"f_port": 10')
  await press(page, 'Clear')
  await expect(panelOf(page)).toContainText('Nothing yet.')
})

test('the panel switches to the app, to another language, to pseudo-words, and restores a saved state', async ({ page, open, world }) => {
  await openPanel(page, open)
  await choose(page, 'Host app')
  await panelOf(page).getByLabel('Version').fill('2.3.4')
  await panelOf(page).getByLabel('Can open Find My').check()
  await press(page, 'Load in this app')
  await expect(panelOf(page).getByText('20304')).toBeVisible()
  await expect(page).not.toHaveURL(/host_version/)
  await press(page, 'A plain browser')
  await expect(panelOf(page).getByText('20304')).toHaveCount(0)

  await choose(page, 'Snapshots')
  await panelOf(page).getByLabel('Name').first().fill(`kept-${world.id}`)
  await press(page, 'Save')
  await expect(statusOf(page)).toContainText(`kept-${world.id} is kept`)
  await world.clock.advance('P1D')
  await press(page, `Restore kept-${world.id}`)
  await expect(statusOf(page)).toHaveText(`The world stands as in kept-${world.id}`)
  expect(await world.clock.now()).toEqual(new Date('2026-03-02T09:00:00Z'))
  const download = page.waitForEvent('download')
  await panelOf(page)
    .getByRole('link', { name: `Download kept-${world.id}` })
    .click()
  const file = await (await download).path()
  await press(page, `Delete kept-${world.id}`)
  await expect(panelOf(page).getByRole('button', { name: `Restore kept-${world.id}` })).toHaveCount(0)
  await panelOf(page).getByLabel('File').setInputFiles(file)
  await panelOf(page).getByLabel('Name').last().fill(`taken-${world.id}`)
  await press(page, 'Import')
  await expect(statusOf(page)).toContainText(`taken-${world.id} is there`)
  await press(page, `Delete taken-${world.id}`)

  await choose(page, 'Languages')
  await press(page, 'Deutsch')
  await expect(page.getByRole('heading', { name: /^Orte/ })).toBeVisible()
  await panelOf(page).getByRole('switch', { name: 'Pseudo-words' }).click()
  await expect(page.getByRole('heading', { name: /^\[Öŕté ·\]/ })).toBeVisible()
  await panelOf(page).getByRole('switch', { name: 'Pseudo-words' }).click()
  await expect(page.getByRole('heading', { name: /^Orte/ })).toBeVisible()
})

test('the panel is accessible in light and dark, and fits a phone', async ({ page, open }) => {
  await openPanel(page, open)
  const findAxeProblems = async (runOnly: Parameters<typeof runAxe>[1]) => {
    const { findings, held } = await runAxe(page, runOnly, 'developer-panel')
    expect(held.length).toBeGreaterThan(0)
    return findings.map(({ id, html }) => `${id}: ${html}`)
  }
  for (const theme of ['light', 'dark'] as const) {
    await inTheme(page, theme)
    for (const name of TABS) {
      await choose(page, name)
      expect(await findAxeProblems(theme === 'light' ? guidelines : rules('color-contrast')), `${name}, ${theme}`).toEqual([])
    }
  }
  await page.setViewportSize({ width: 390, height: 844 })
  for (const name of TABS) {
    await choose(page, name)
    const body = panelOf(page).getByRole('tabpanel')
    expect(await body.evaluate((one) => one.scrollWidth - one.clientWidth), name).toBe(0)
    expect(await body.evaluate((one) => one.getBoundingClientRect().right), name).toBeLessThanOrEqual(390)
  }
  expect(await findAxeProblems(rules('target-size'))).toEqual([])
})

test('the production build contains nothing of the panel', () => {
  const scriptsIn = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(js|html)$/.test(name))
      .map((name) => readFileSync(path.join(folder, name), 'utf8'))
  const portal = scriptsIn('dist/web')
  expect(portal.length).toBeGreaterThan(20)
  for (const trace of ['developer-panel', 'developerPanel', '/mock/worlds']) {
    expect(scriptsIn('dist/panel').join('')).toContain(trace)
    expect(portal.filter((text) => text.includes(trace))).toEqual([])
  }
})
