import { readFileSync } from 'node:fs'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Config } from '#web/lib/config.ts'
import { hasFeature } from '#web/lib/other-backends/features.ts'
import { session } from '#web/lib/session.ts'
// The import also stubs the canvas for jsdom.
import '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const CALLS = readFileSync('contracts/specified-endpoints.txt', 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [method, path = ''] = line.split(' ')
    return { method, path: new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`) }
  })

const isSpecified = (method: string, path: string) => CALLS.some((call) => call.method === method && call.path.test(path))

/** The real server as a backend with the 22 calls of the specification and no other: those are unknown addresses. */
function withSpecifiedOnly(portal: Awaited<ReturnType<typeof startSyncedPortal>>) {
  const unknown: string[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const [method, [path = '']] = [init?.method ?? 'GET', String(input).split('?')]
    if (isSpecified(method, path)) return portal.fetch(input, init)
    unknown.push(`${method} ${path}`)
    return new Response('{"detail":"Not found."}', { status: 404 })
  }
  return { fetch, token: portal.token, unknown }
}

/** Opens the portal with a backend that has the calls of the specification only. */
async function open(path: string, config: Partial<Config> = {}) {
  const portal = await startSyncedPortal()
  const server = withSpecifiedOnly(portal)
  const page = await renderAt(path, { portal: server, as: 'alice@example.com', config })
  return {
    ...page,
    unknown: server.unknown,
    async [Symbol.asyncDispose]() {
      page.unmount()
      session.forget()
      await portal[Symbol.asyncDispose]()
    },
  }
}

const FEATURES = ['links', 'theft', 'sct2', 'subscriptions', 'settings', 'me', 'conflicts']
const linksOf = (element: HTMLElement) =>
  within(element)
    .getAllByRole('link')
    .flatMap(({ textContent }) => textContent || [])

test('the map polls, shows that it does, and lacks the features that the backend rejected', async () => {
  await using page = await open('/')
  await screen.findByRole('status', { name: 'Live view' })
  await waitFor(() => expect(screen.getByRole('status', { name: 'Live view' })).toHaveTextContent('Every 30 s'))
  const nav = screen.getByRole('navigation', { name: 'Main navigation' })
  await waitFor(() => expect(linksOf(nav)).not.toContain('Places'))
  expect(screen.getByText('Rex')).toBeVisible()
  const asked = page.unknown.filter((call) => call === 'GET /devices/live/' || call === 'GET /tracker_places/')
  expect(asked.toSorted()).toEqual(['GET /devices/live/', 'GET /tracker_places/'])
})

test('the card of a tracker shows the features that the backend has', async () => {
  await using _ = await open('/trackers/1')
  const card = within(await screen.findByRole('article'))
  await waitFor(() => expect(card.queryByRole('link', { name: 'History' })).toBeNull())
  expect(await card.findByRole('button', { name: 'Share' })).toBeEnabled()
  expect(card.queryByText('We could not load this.')).toBeNull()
  expect(card.queryByText('Today')).toBeNull()
})

test('a list in the configuration hides all other features without a request', async () => {
  await using page = await open('/trackers/1', { features: FEATURES })
  const card = within(await screen.findByRole('article'))
  await waitFor(() => expect(screen.getByRole('status', { name: 'Live view' })).toHaveTextContent('Every 30 s'))
  const buttons = () => card.getAllByRole('button').flatMap(({ textContent }) => textContent || [])
  await waitFor(() => expect(buttons()).toEqual(['Follow on the map', 'Share', 'How far is it from me?']))
  await waitFor(() =>
    expect(linksOf(screen.getByRole('navigation', { name: 'Main navigation' }))).toEqual(['Map', 'Trackers', 'Links', 'Plans']),
  )
  await page.user.click(screen.getByRole('button', { name: 'Account and settings' }))
  const manage = within(await screen.findByRole('list', { name: 'Sharing' }))
  expect(manage.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Links'])
  expect(page.unknown).toEqual([])
})

test.each(['/places', '/places/import', '/alerts', '/contacts', '/tags', '/orders', '/invoices', '/payment_methods', '/trackers/add'])(
  'the address %s of a missing feature is not found, and nothing is requested for it',
  async (path) => {
    await using page = await open(path, { features: FEATURES })
    expect(await screen.findByText('Page not found')).toBeVisible()
    expect(page.unknown).toEqual([])
  },
)

test('a screen whose feature turns out to be missing becomes the not-found notice', async () => {
  await using page = await open('/tags')
  expect(await screen.findByText('Page not found')).toBeVisible()
  expect(page.unknown.filter((call) => call.includes('tags'))).toEqual(['GET /tracker_tags/'])
})

test('the palette offers no page that the backend lacks', async () => {
  await using page = await open('/trackers', { features: FEATURES })
  await screen.findByText('Rex', { selector: 'a' })
  await page.user.keyboard('{Control>}k{/Control}')
  const palette = within(await screen.findByRole('dialog'))
  expect(await palette.findByText('Links')).toBeVisible()
  for (const word of ['Places', 'Alerts', 'Contacts', 'Tags', 'Orders']) expect(palette.queryByText(word)).toBeNull()
})

test('public links work without a list of all links', async () => {
  await using page = await open('/public_links')
  expect(await screen.findByRole('region', { name: 'Rex' })).toBeVisible()
  expect(page.unknown.filter((call) => call.includes('link'))).toEqual(['GET /tracker_public_share_links/'])
  await page.user.click((await screen.findAllByRole('button', { name: 'New link' }))[0]!)
  const dialog = within(await screen.findByRole('dialog'))
  const name = await dialog.findByRole('textbox', { name: /^Name of the link/ })
  await page.user.clear(name)
  await page.user.type(name, 'For Bob')
  await page.user.click(dialog.getByRole('button', { name: 'Create link' }))
  expect(await screen.findByRole('img', { name: 'QR code of the link For Bob' })).toBeVisible()
})

test('the history screen shows the last position and no days to choose', async () => {
  await using page = await open('/trackers/1/history')
  expect(await screen.findByText('No data for this period')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('button', { name: /Export/ })).toBeNull())
  expect(page.unknown.filter((call) => call.includes('tracker_data')).length).toBe(1)
  expect(hasFeature('exportCsv')).toBe(false)
})

test('the settings of a tracker show its mode, and nothing that cannot be changed', async () => {
  await using _ = await open('/trackers/1/settings', { features: FEATURES })
  expect(await screen.findByRole('region', { name: 'Mode' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  expect(screen.queryByRole('region', { name: 'Remove tracker' })).toBeNull()
})

test('subscriptions are sold without a list of the current ones', async () => {
  await using _ = await open('/subscription?devices=2')
  expect(await screen.findByRole('button', { name: 'Pay by card' })).toBeVisible()
})

test('the account page shows profile, e-mail and preferences', async () => {
  await using _ = await open('/account', { features: FEATURES })
  expect(await screen.findByText('Alice Almeida')).toBeVisible()
  expect(screen.getByRole('region', { name: 'Preferences' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Change password' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Change' })).toBeNull()
})

test('the theft file has the police form and the position', async () => {
  await using page = await open('/app/theft_file?id=1')
  expect(await screen.findByRole('button', { name: 'Download the theft form' })).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Follow' })).toBeNull())
  expect(page.unknown.filter((call) => call.includes('theft'))).toEqual(['GET /devices/1/theft_report/'])
})

test('without profile and settings the account page still opens', async () => {
  await using _ = await open('/account', { features: [] })
  expect(await screen.findByRole('region', { name: 'Delete account' })).toBeVisible()
  expect(screen.queryByRole('region', { name: 'Preferences' })).toBeNull()
})
