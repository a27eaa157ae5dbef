import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page, Route } from '@playwright/test'
import { guidelines, rules, runAxe } from '#e2e/axe.ts'
import { expect, test } from '#e2e/portal.ts'
import { inTheme } from '#e2e/show.ts'

const TABS = [
  'People',
  'Worlds',
  'Clock',
  'Requests',
  'Faults',
  'Mail',
  'Alerts',
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
  await expect(tabOf(page, 'Worlds')).toBeFocused()
  await expect(tabOf(page, 'Worlds')).toHaveAttribute('aria-selected', 'true')
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
  await expect(page.getByRole('heading', { name: 'Places', level: 1 })).toBeVisible()
  await expect(page.locator('developer-panel')).toHaveCount(0)
  for (const [query, count] of [
    ['?panel=1', 1],
    ['', 1],
    ['?panel=0', 0],
    ['', 0],
  ] as const) {
    await open(`/places${query}`)
    await expect(page.getByRole('heading', { name: 'Places', level: 1 })).toBeVisible()
    await expect(page.locator('developer-panel')).toHaveCount(count)
  }
})

test('the panel tells an unauthorised user where to sign in', async ({ page, open }) => {
  await page.route('**/mock/personas', (route) => route.fulfill({ status: 403, json: { detail: 'No.', code: 'permission_denied' } }))
  await openPanel(page, open)
  await expect(statusOf(page)).toContainText('GET /mock/personas: 403 permission_denied')
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
  await choose(page, 'Worlds')
  const reset = panelOf(page).getByLabel('Scenario').first()
  await reset.selectOption('empty')
  await press(page, 'Reset')
  await expect(statusOf(page)).toHaveText('The world is that of empty again')
  expect((await world.worlds.about()).world.scenario).toBe('empty')
})

test('the panel creates, copies, enters and deletes worlds', async ({ page, open, world }) => {
  await openPanel(page, open)
  await choose(page, 'Worlds')
  const [created, copy] = [`${world.id}-new`, `${world.id}-copy`]
  await panelOf(page).getByLabel('Name', { exact: true }).first().fill(created)
  await panelOf(page).getByLabel('Scenario').nth(1).selectOption('expiring')
  await press(page, 'Create')
  await expect(statusOf(page)).toHaveText(`World ${created} of expiring was created`)
  await expect(panelOf(page).getByRole('link', { name: created })).toHaveAttribute('href', new RegExp(`//w-${created}\\.localhost:`))
  await panelOf(page).getByLabel('Name', { exact: true }).last().fill(copy)
  await press(page, 'Copy')
  await expect(statusOf(page)).toHaveText(`World ${copy} is a copy of ${world.id}`)

  await press(page, `Switch to ${created}`)
  await expect(page).toHaveURL(new RegExp(`//w-${created}\\.localhost:\\d+/places$`))
  await expect(page.getByRole('heading', { name: /^Places/ })).toBeVisible()
  await choose(page, 'Worlds')
  await expect(panelOf(page).getByRole('heading', { name: `World ${created}` })).toBeVisible()
  await press(page, `Delete ${copy}`)
  await expect(panelOf(page).getByRole('link', { name: copy })).toHaveCount(0)
  await press(page, `Switch to ${world.id}`)
  await expect(page).toHaveURL(new RegExp(`//w-${world.id}\\.localhost:`))
  await choose(page, 'Worlds')
  await press(page, `Delete ${created}`)
  await expect(panelOf(page).getByRole('link', { name: created })).toHaveCount(0)
})

test('the width of the panel is changed by dragging and keys, and remembered', async ({ page, open }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await openPanel(page, open)
  const widthOf = async () => (await panelOf(page).boundingBox())!.width
  const grip = panelOf(page).getByRole('separator', { name: 'Width of the panel' })
  expect(await widthOf()).toBe(560)
  await grip.focus()
  await page.keyboard.press('ArrowLeft')
  expect(await widthOf()).toBe(600)
  await page.keyboard.press('Home')
  expect(await widthOf()).toBe(320)
  await expect(grip).toHaveAttribute('aria-valuenow', '320')
  await grip.hover()
  await page.mouse.down()
  await page.mouse.move(880, 300)
  await page.mouse.up()
  await page.mouse.move(500, 300)
  expect(await widthOf()).toBe(400)
  await page.reload()
  await expect(panelOf(page)).toBeVisible()
  expect(await widthOf()).toBe(400)
})

test('the panel in its own window acts on the page, survives a reload of the page, and moves back', async ({ page, open }) => {
  await openPanel(page, open)
  const popOut = async () => {
    const [own] = await Promise.all([page.waitForEvent('popup'), press(page, 'Own window')])
    await expect(panelOf(own)).toBeVisible()
    return own
  }
  const own = await popOut()
  await expect(panelOf(page)).toHaveCount(0)
  const colour = (of: Page) => of.locator('html').evaluate((root) => getComputedStyle(root).getPropertyValue('--accent').trim())
  expect(await colour(own)).toBe(await colour(page))
  await inTheme(page, 'dark')
  await expect.poll(() => colour(own)).toBe(await colour(page))
  await choose(own, 'People')
  await press(own, 'Dario Donati dario@example.com, it')
  await expect(page.locator('html')).toHaveAttribute('lang', 'it')
  await expect(statusOf(own)).toHaveText('Signed in as dario')
  await choose(own, 'Clock')
  // The window may be gone before the click is reported as done.
  await Promise.all([own.waitForEvent('close'), press(own, 'Into the page').catch(() => undefined)])
  await expect(panelOf(page).getByRole('tabpanel', { name: 'Clock' })).toBeVisible()
  await (await popOut()).close()
  await expect(openerOf(page)).toHaveAttribute('aria-expanded', 'false')
})

test('the own window of the panel closes on a switch to a world with its own host name, and the panel moves into the page', async ({
  page,
  open,
  world,
}) => {
  const other = `${world.id}-other`
  await openPanel(page, open)
  await choose(page, 'Worlds')
  await panelOf(page).getByLabel('Name', { exact: true }).first().fill(other)
  await press(page, 'Create')
  await expect(statusOf(page)).toContainText(`World ${other}`)
  const [own] = await Promise.all([page.waitForEvent('popup'), press(page, 'Own window')])
  // The window may be gone before the click is reported as done.
  await Promise.all([own.waitForEvent('close'), press(own, `Switch to ${other}`).catch(() => undefined)])
  await expect(page).toHaveURL(new RegExp(`//w-${other}\\.localhost:\\d+/places$`))
  await expect(statusOf(page)).toContainText('its window belonged to the other world')
  await expect(panelOf(page).getByRole('heading', { name: `World ${other}` })).toBeVisible()
  await page.reload()
  await expect(panelOf(page).getByRole('heading', { name: `World ${other}` })).toBeVisible()
  await expect(statusOf(page)).toHaveText('')
})

test('a request is filtered, copied as curl and broken from its row', async ({ page, open, world, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openPanel(page, open)
  await choose(page, 'Requests')
  const rows = panelOf(page).getByRole('listitem')
  await panelOf(page).getByLabel('Path').fill('tracker_places')
  await panelOf(page).getByLabel('Method').selectOption('GET')
  await panelOf(page).getByLabel('Status').fill('2xx')
  // The list of places, and the suggestions beside it.
  await expect(rows).toHaveCount(2)
  const row = rows.filter({ has: page.getByRole('button', { name: 'Copy GET /tracker_places/ as curl' }) })
  await expect(row.getByRole('time')).toHaveText('09:00:00')
  await panelOf(page).getByLabel('Status').fill('404')
  await expect(rows).toHaveCount(0)
  await panelOf(page).getByLabel('Status').fill('')
  await panelOf(page).getByLabel('Only calls that broke the contract').check()
  await expect(rows).toHaveCount(0)
  await panelOf(page).getByLabel('Only calls that broke the contract').uncheck()

  await row.getByRole('button', { name: 'Copy GET /tracker_places/ as curl' }).click()
  await expect(statusOf(page)).toHaveText('Copied: GET /tracker_places/ as curl')
  const command = await page.evaluate(() => navigator.clipboard.readText())
  const answer = execFileSync('sh', ['-c', command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  expect(answer).toContain('HTTP/1.1 200')
  expect(answer).toContain('"name":"Home"')

  await row.first().getByRole('button', { name: 'Break GET /tracker_places/' }).click()
  await expect(panelOf(page).getByLabel('Call or path')).toHaveValue('places.list')
  const effect = panelOf(page).getByLabel('What happens')
  await expect(effect).toBeFocused()
  await panelOf(page).getByLabel('Times').fill('3')
  await press(page, 'Set')
  await expect(statusOf(page)).toHaveText('GET /tracker_places/ answers 503, next 3 times')
  await expect(world.api('alice').places.list({ query: {} })).rejects.toThrow('503')
  await expect(panelOf(page).getByText('GET /tracker_places/ answers 503, next 2 times')).toBeVisible()

  await effect.selectOption('answers this, in place of the server')
  await panelOf(page).getByLabel('Call or path').fill('/devices/:id/weather/')
  await panelOf(page).getByRole('textbox', { name: 'Answer' }).fill('{"device": "{{params.id}}"}')
  await panelOf(page).getByLabel('Times').fill('')
  await press(page, 'Set')
  await expect(statusOf(page)).toHaveText('Any /devices/:id/weather/ answers 200 in place of the server')
  expect(await page.evaluate(async () => (await fetch('/devices/7/weather/')).json())).toEqual({ device: '7' })
  await effect.selectOption('disturbs its live stream')
  await panelOf(page).getByLabel('Call or path').fill('positions.live')
  await panelOf(page).getByLabel('Events').selectOption('come twice')
  await panelOf(page).getByLabel('Every n-th event').fill('3')
  await press(page, 'Set')
  await expect(statusOf(page)).toContainText('sends every third event twice')
  await effect.selectOption('answers late')
  await panelOf(page).getByLabel('Call or path').fill('places.list')
  await panelOf(page).getByLabel('Up to ms more').fill('100')
  await press(page, 'Set')
  await expect(statusOf(page)).toHaveText('GET /tracker_places/ waits 2000 to 2100 ms')
})

test.describe('lists of the panel', () => {
  test.use({ violations: 'allowed' })

  test('the panel lists requests, problems and mails as they happen', async ({ page, open, world }) => {
    await openPanel(page, open)
    await choose(page, 'Requests')
    await world.api('alice').places.list({ query: {} })
    // The portal sends further requests meanwhile, which are listed above this one.
    const call = panelOf(page).getByRole('listitem').filter({ hasText: 'GET/tracker_places/200' }).last()
    await call.getByRole('button', { name: /^\d\d:/ }).click()
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
    await expect(panelOf(page).getByText('GET /tracker_places/ answers 503')).toHaveCount(2)
    await expect(world.api('alice').places.list({ query: {} })).rejects.toThrow('503')

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

test('the panel controls cards and trackers', async ({ page, open, world }) => {
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
  const tracker = Number(await panelOf(page).getByRole('combobox', { name: 'Tracker', exact: true }).inputValue())
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

test('the panel lists what fired, marks it as read, and mutes alerts', async ({ page, open, world }) => {
  await openPanel(page, open)
  await choose(page, 'Alerts')
  await expect(panelOf(page)).toContainText('No silence runs.')
  await press(page, 'Mute all alerts')
  await expect(statusOf(page)).toContainText('Muted until')
  const [silence] = await world.silences.list()
  expect(silence).toMatchObject({ devices: [], everyone: false })
  const device = (await world.api('alice').devices.list({ query: {} })).find(({ name }) => name === 'Rex')!.id
  await world.sim.event({ params: { id: device }, body: { type: 'low_battery', battery: 4 } })
  const fired = await world.firings.wait({ body: { persona: 'alice', kind: 'low_battery', device } })
  expect(fired).toMatchObject({ mails: 0, seen: false })
  await expect(panelOf(page)).toContainText('low_battery')
  await press(page, 'Mark all as read')
  await expect(panelOf(page).getByText('unread')).toHaveCount(0)
  await press(page, 'End')
  await expect(statusOf(page)).toHaveText('The silence ended')
  expect(await world.silences.list()).toEqual([])
})

test('the panel drives one tracker to another, learns where one usually is, and lists what fired about both', async ({
  page,
  open,
  world,
}) => {
  const alice = world.api('alice')
  const [rex, misty] = [1, 2]
  const contacts = [(await alice.contacts.list())[0]!.id]
  await openPanel(page, open)
  await choose(page, 'Fleet')
  await panelOf(page).getByRole('combobox', { name: 'Tracker', exact: true }).selectOption('Misty')
  await press(page, 'Learn now')
  await expect(statusOf(page)).toHaveText(/^\d+ places, \d+ ways, \d+ squares$/)
  expect(await alice.normal.read({ params: { id: misty } })).toMatchObject({ enabled: true, ready_from: null })
  await alice.alerts.create({ body: { devices: [misty], contacts, rule: { kind: 'unusual' } } })
  await press(page, 'Drive')
  await expect(statusOf(page)).toContainText('there at')
  await world.clock.advance('PT30M')
  await alice.alerts.create({ body: { devices: [rex, misty], contacts, rule: { kind: 'together', meters: 200 } } })
  await panelOf(page).getByRole('combobox', { name: 'Another tracker' }).selectOption('Rex')
  await press(page, 'Drive to it')
  await expect(statusOf(page)).toContainText('there at')
  await world.clock.advance('PT3H')
  await choose(page, 'Alerts')
  await expect(panelOf(page)).toContainText(/Rex and Misty · together|Misty and Rex · together/)
  const { rule } = await world.firings.wait({ body: { persona: 'alice', kind: 'unusual', device: misty } })
  await expect(panelOf(page).getByText(`${rule?.kind === 'unusual' && rule.meters} m`)).toBeVisible()
})

test('the panel lists messages sent through networks as they happen', async ({ page, open, world }) => {
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
