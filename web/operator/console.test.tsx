import { waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { codeAt } from '#server/accounts/factors/test-totp.ts'
import { PROGRAM } from '#server/deeds/do-deed.ts'
import { addMember } from '#server/operator/staff/staff.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { openConsole } from '#web/test/open-console.ts'
import { renderAt } from '#web/test/render-at.tsx'

const PASSWORD = 'correct horse battery'
const here = () => window.location.pathname + window.location.search
type Page = Awaited<ReturnType<typeof openConsole>>

const type = async ({ screen, user }: Page, label: RegExp, text: string) =>
  user.type(await screen.findByLabelText(label, { selector: 'input' }), text)

async function acceptInvitation(page: Page) {
  const { screen, user, portal } = page
  await screen.findByRole('heading', { name: 'Set up your access' })
  const secret = screen.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent.replace(/ /g, '')
  expect(screen.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await type(page, /^Your name/, 'Nora King')
  await type(page, /^Password/, PASSWORD)
  await type(page, /^Code from the app/, codeAt(portal, secret))
  await user.click(screen.getByRole('button', { name: 'Set up and sign in' }))
  const codes = await screen.findByRole('region', { name: 'Your recovery codes' })
  return { secret, recovery: within(codes).getAllByRole('listitem')[0]!.textContent }
}

async function openInvitation() {
  const page = await openConsole('/operator', { owner: 'alice@example.com' })
  await page.screen.findByRole('heading', { name: 'Sign in' })
  const { world } = page.portal
  const { invitation } = await addMember({ ...world, actor: PROGRAM }, { email: 'nora@shop.example', role: 'admin' })
  const { pathname, search } = new URL(invitation)
  window.history.pushState(null, '', pathname + search)
  window.dispatchEvent(new PopStateEvent('popstate'))
  return page
}

test('an invited member sets up the access, sees the recovery codes, signs out and signs in again, without touching the session of an owner', async () => {
  await using page = await openInvitation()
  const { screen, user, portal, calls } = page
  const token = storage.get('token')
  const { secret } = await acceptInvitation(page)
  await user.click(screen.getByRole('button', { name: 'I have saved them' }))
  expect(await screen.findByRole('heading', { name: 'Today' })).toBeVisible()
  expect(here()).toBe('/operator')
  expect(screen.getByText('Administrator, 12 h left')).toBeVisible()

  await user.click(screen.getByRole('button', { name: 'Log out' }))
  await screen.findByRole('heading', { name: 'Sign in' })
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 30_000) })
  await type(page, /^E-mail/, 'nora@shop.example')
  await type(page, /^Password/, PASSWORD)
  await type(page, /^Code/, '000000')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(await screen.findByText(/^E-mail, password or code is wrong/)).toBeVisible()
  await user.clear(screen.getByLabelText(/^Code/, { selector: 'input' }))
  await type(page, /^Code/, codeAt(portal, secret))
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(await screen.findByRole('heading', { name: 'Today' })).toBeVisible()

  expect(storage.get('token')).toBe(token)
  const ofConsole = calls.filter(({ path }) => path.startsWith('/operator/api/'))
  expect(ofConsole.length).toBeGreaterThan(5)
  expect(ofConsole.filter(({ headers }) => headers.has('authorization'))).toEqual([])
})

test('a link that has ended says so in plain words', async () => {
  await using page = await openConsole('/operator/invitation?key=0123456789')
  expect(await page.screen.findByRole('heading', { name: 'This invitation has ended' })).toBeVisible()
})

test('a session that has ended leads to the sign-in at the same address', async () => {
  await using page = await openConsole('/operator/log', { role: 'admin' })
  const { screen, user, jar } = page
  await screen.findByRole('heading', { name: 'Log' })
  jar.cookie = ''
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Kind' }), 'Key made')
  expect(await screen.findByText('Your session has ended. Sign in to continue.')).toBeVisible()
  expect(here()).toBe('/operator/log?kind=key_added')
})

test('a role sees no entry of a screen that it may not see, and plain words at its address', async () => {
  await using page = await openConsole('/operator/staff', { role: 'stock' })
  const { screen, calls } = page
  expect(await screen.findByRole('heading', { name: 'Your role may not see this page' })).toBeVisible()
  expect(within(screen.getByRole('navigation')).queryByRole('link', { name: 'Staff' })).toBeNull()
  expect(calls.filter(({ path }) => path.startsWith('/operator/api/staff'))).toEqual([])
})

test('an unknown address of the console is not found', async () => {
  await using page = await openConsole('/operator/no-such-page', { role: 'admin' })
  expect(await page.screen.findByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('a portal whose configuration does not name the feature says that it has no console, and asks for nothing', async () => {
  await using portal = await startPortal()
  const { screen, calls } = await renderAt('/operator/staff', { portal, config: { features: [] } })
  expect(await screen.findByRole('heading', { name: 'This portal has no console' })).toBeVisible()
  expect(calls).toEqual([])
})

test('the words of the console follow the language', async () => {
  await using page = await openConsole('/operator/log', { role: 'admin' })
  await page.user.selectOptions(await page.screen.findByRole('combobox', { name: 'Language' }), 'fr')
  expect(await page.screen.findByRole('heading', { name: 'Journal' })).toBeVisible()
  await waitFor(() => expect(document.title).toBe('Whereabouts - Journal'))
})

test('the entry of the screen is scrolled into view among the entries', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
  await using page = await openConsole('/operator/stock', { role: 'admin' })
  const { screen, user } = page
  const lastShown = () => scroll.mock.contexts.findLast((element) => element instanceof HTMLAnchorElement)
  await waitFor(() => expect(lastShown()).toBe(screen.getByRole('link', { name: 'Stock' })))
  await user.click(screen.getByRole('link', { name: 'Log' }))
  await waitFor(() => expect(lastShown()).toBe(screen.getByRole('link', { name: 'Log' })))
  scroll.mockRestore()
})
