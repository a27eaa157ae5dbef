import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { describeLegalTexts, readLegalTexts } from '#server/legal/legal-texts.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { startPortal } from '#server/test/start-portal.ts'
import type { Config } from '#web/lib/config.ts'
import { storage, tabStorage } from '#web/lib/storage.ts'
import { renderAt } from '#web/test/render-at.tsx'

const { email: alice } = getPersona('alice')

async function startWithTexts(
  texts: Record<string, string> = { 'terms.en.md': '# Our terms\n\nBe **kind**, see [help](https://shop.example/help).' },
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-legal-'))
  for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(folder, name), text)
  const legal = readLegalTexts({ LEGAL_DIR: folder, IMPRINT_URL: 'https://shop.example/imprint', TERMS_VERSION: 'v2' })
  rmSync(folder, { recursive: true })
  tabStorage.remove('termsPutOff')
  const portal = await startPortal({ termsVersion: 'v2', app: { legal } })
  const config = { features: ['terms', 'settings', 'me'], legal: describeLegalTexts(legal) as Config['legal'] }
  return { portal, config, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

test.each(['/login', '/signup', '/pub/trackers?token=unknown', '/contact_us', '/legal/terms'])(
  '%s links to the texts of the operator',
  async (at) => {
    await using given = await startWithTexts()
    await renderAt(at, given)
    const links = within(await screen.findByRole('navigation', { name: 'Legal texts' }))
    expect(links.getByRole('link', { name: 'Terms of use' })).toHaveProperty('pathname', '/legal/terms')
    expect(links.getByRole('link', { name: 'Imprint' })).toHaveProperty('href', 'https://shop.example/imprint')
    expect(links.queryByRole('link', { name: 'Privacy policy' })).toBeNull()
  },
)

test('the account page links to the texts', async () => {
  await using given = await startWithTexts()
  await renderAt('/account', { ...given, as: alice })
  expect(await screen.findByRole('navigation', { name: 'Legal texts' })).toBeTruthy()
})

test('without texts a page has no links to them', async () => {
  await renderAt('/login')
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(screen.queryByRole('contentinfo')).toBeNull()
})

test('a text is shown with its heading, its links and its language', async () => {
  await using given = await startWithTexts()
  await renderAt('/legal/terms', { ...given, languages: ['de'] })
  const heading = await screen.findByRole('heading', { level: 1, name: 'Our terms' })
  expect(heading.closest('[lang]')?.getAttribute('lang')).toBe('en')
  expect(screen.getByText('kind').tagName).toBe('STRONG')
  expect(screen.getByRole('link', { name: 'help' })).toHaveProperty('href', 'https://shop.example/help')
})

test('a text that the operator does not have says so', async () => {
  await using given = await startWithTexts()
  await renderAt('/legal/privacy', given)
  expect(await screen.findByText('There is no such text.')).toBeTruthy()
})

test('signing up needs the box of the terms, and sends their version', async () => {
  await using given = await startWithTexts()
  const { user } = await renderAt('/signup', given)
  const type = async (label: RegExp, text: string) => user.type(await screen.findByLabelText(label, { selector: 'input' }), text)
  await type(/^First name/, 'Nina')
  await type(/^Last name/, 'Nowak')
  await type(/^E-mail/, 'nina@example.com')
  await type(/^Password/, 'long enough')
  await user.click(screen.getByRole('button', { name: 'Create account' }))
  const box = screen.getByRole('checkbox', { name: /^I accept the terms of use/ })
  expect(box.getAttribute('aria-invalid')).toBe('true')
  await user.click(box)
  await user.click(screen.getByRole('button', { name: 'Create account' }))
  await waitFor(() => expect(window.location.pathname).toBe('/account_email_sent'))
  const answer = await given.portal.fetch('/users/terms/', { headers: { authorization: `Bearer ${storage.get('token')}` } })
  expect(await answer.json()).toMatchObject({ accepted_version: 'v2' })
})

test('the portal asks for acceptance of the terms until the user accepts them', async () => {
  await using given = await startWithTexts()
  const { user } = await renderAt('/account', { ...given, as: alice })
  const notice = await screen.findByRole('region', { name: 'Terms of use' })
  expect(within(notice).getByText('Please accept our terms of use.')).toBeTruthy()
  await user.click(within(notice).getByRole('button', { name: 'Accept' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Terms of use' })).toBeNull())
  expect((await given.portal.call(alice, 'GET', '/users/terms/')).body).toMatchObject({ accepted_version: 'v2' })
})

test('the question can be put off until the tab is closed', async () => {
  await using given = await startWithTexts()
  await given.portal.call(alice, 'GET', '/users/terms/')
  const { user } = await renderAt('/account', { ...given, as: alice })
  await user.click(within(await screen.findByRole('region', { name: 'Terms of use' })).getByRole('button', { name: 'Later' }))
  expect(screen.queryByRole('region', { name: 'Terms of use' })).toBeNull()
  expect((await given.portal.call(alice, 'GET', '/users/terms/')).body).toMatchObject({ accepted_version: null })
})
