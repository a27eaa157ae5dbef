import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { CONFIG } from '#web/test/sample-config.ts'

const ALICE = 'alice@example.com'
const hrefs = () => screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])

describe.each([
  ['R-2.26', '/start_track_app/', 'Open the app', 'track', 'whereabouts://open'],
  ['R-2.27', '/start_sdc_app/', 'Open the collar app', 'collar', 'whereabouts-collar://open'],
] as const)('%s %s', (_, path, heading, app, open) => {
  test('the page links to the app and its stores and sends no request', async () => {
    const { calls } = await renderAt(path)
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeVisible()
    expect(hrefs()).toEqual([
      [heading, open],
      ['App Store', 'https://apps.apple.com/search?term=Whereabouts'],
      ['Google Play', 'https://play.google.com/store/search?c=apps&q=Whereabouts'],
    ])
    expect(calls).toEqual([])
  })

  test('the links can be configured', async () => {
    const links = { open: 'pets://start', appStore: 'https://apps.example/1', playStore: 'https://play.example/1' }
    await renderAt(path, { config: { ...CONFIG, apps: { [app]: links } } })
    await screen.findByRole('heading', { level: 1, name: heading })
    expect(hrefs().map(([, href]) => href)).toEqual(Object.values(links))
  })

  test('a phone sees only its own store', async () => {
    await renderAt(`${path}?host_os=android`)
    await screen.findByRole('heading', { level: 1, name: heading })
    expect(hrefs().map(([name]) => name)).toEqual([heading, 'Google Play'])
  })
})

test.each([
  ['R-2.28', '/install_restart', 'Restart installation', '/trackers/add'],
  ['R-2.29', '/install_quit', 'Quit installation', '/'],
])('%s %s shows its message to the host app and links browsers onwards', async (_, path, heading, to) => {
  const { calls } = await renderAt(path)
  expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeVisible()
  expect(screen.getByRole('link')).toHaveAttribute('href', to)
  expect(screen.queryByRole('navigation')).toBeNull()
  expect(calls).toEqual([])
})

describe('R-2.30 /main', () => {
  test('/main redirects a plain browser to the home page', async () => {
    await using page = await openAs(ALICE, '/main')
    await waitFor(() => expect(page.screen.getByRole('heading', { name: /^Trackers/ })).toBeVisible())
    expect(window.location.pathname).toBe('/')
  })

  test('R-3.100 /main stays in the web view of the native app', async () => {
    await renderAt('/main?native_app=1')
    expect(await screen.findByRole('heading', { level: 1, name: 'Main' })).toBeVisible()
    expect(window.location.pathname).toBe('/main')
  })
})

describe('R-2.32 R-3.92 /verify_auth', () => {
  test('a valid session is stored as verified and its user is shown', async () => {
    await using page = await openAs(ALICE, '/verify_auth')
    expect(await screen.findByText(`Signed in as ${ALICE}`)).toBeVisible()
    expect(storage.get('verifyNative')).toBe('true')
    expect(page.calls.map(({ path }) => path)).toEqual(['/api-auth/session/login/'])
    expect(screen.getByRole('link', { name: 'Go to the start page' })).toHaveAttribute('href', '/')
  })

  test.each([401, 403])('a response of %i leads to the login page and back', async (status) => {
    await using portal = await startPortal()
    await renderAt('/verify_auth', { portal: withFaults(portal, { '/api-auth/': respondWith(status) }), as: ALICE })
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(window.location.pathname + window.location.search).toBe('/login?next=%2Fverify_auth')
    expect(storage.get('verifyNative')).toBeNull()
  })

  test('R-7.29 any other failure can be retried', async () => {
    await using portal = await startPortal()
    const server = withFaults(portal, { '/api-auth/': respondWith(500) })
    const { user } = await renderAt('/verify_auth', { portal: server, as: ALICE })
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('We could not load this.'))
    server.mend()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText(`Signed in as ${ALICE}`)).toBeVisible()
  })
})
