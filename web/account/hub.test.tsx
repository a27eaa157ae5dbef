import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { openAs } from '#web/test/open-as.tsx'

beforeEach(() => {
  const matchMedia = vi
    .spyOn(window, 'matchMedia')
    .mockImplementation((media) => Object.assign(new EventTarget() as MediaQueryList, { media, matches: media === '(max-width: 768px)' }))
  return () => matchMedia.mockRestore()
})

const group = async (name: string) =>
  within(await screen.findByRole('region', { name }))
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'))

test('on a phone the account tab opens a page with everything that has no tab of its own', async () => {
  await using page = await openAs('alice@example.com', '/places', { features: [...FEATURES] })
  await page.user.click(await screen.findByRole('link', { name: 'Account' }))
  expect(await screen.findByText('Alice Almeida', { selector: 'b' })).toBeVisible()
  await waitFor(async () => expect(await group('Plans and payments')).toHaveLength(4))
  expect(await group('Sharing')).toEqual(['/public_links', '/contacts', '/tags'])
  expect(await group('Plans and payments')).toEqual(['/subscriptionSelector', '/orders', '/invoices', '/payment_methods'])
  expect(await group('Settings')).toEqual([
    '/account_profil_update',
    '/account_email_update',
    '/account/password',
    '/account/security',
    '/account/preferences',
  ])
  expect(await group('Help')).toEqual(['/contact_us'])
  expect(await group('Log out')).toEqual(['/logout'])
  const nav = screen.getByRole('navigation', { name: 'Main navigation' })
  expect([...nav.querySelectorAll('[data-on]')].map(({ textContent }) => textContent)).toEqual(['Account'])
})

test.each(['/public_links', '/contacts', '/tags', '/subscriptionSelector', '/orders', '/invoices', '/payment_methods', '/contact_us'])(
  'on a phone %s leads back to the account page',
  async (path) => {
    await using _ = await openAs('alice@example.com', path)
    const main = within(await screen.findByRole('main'))
    expect(await main.findByRole('link', { name: 'Account' })).toHaveAttribute('href', '/account')
  },
)

test('the preferences of a phone have a page of their own', async () => {
  await using page = await openAs('alice@example.com', '/account')
  await page.user.click(await screen.findByRole('link', { name: /^Language, currency/ }))
  expect(await screen.findByRole('combobox', { name: 'Currency' })).toBeVisible()
  expect(screen.getByRole('radio', { name: 'Dark' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Account', current: false })).toHaveAttribute('href', '/account')
})

test('the page with quiet hours and notifications is named after them', async () => {
  await using _ = await openAs('alice@example.com', '/account', { features: ['settings', 'quietHours'] })
  expect(await screen.findByRole('link', { name: 'Language, notifications and appearance' })).toBeVisible()
})

test('an unconfirmed address is marked on the account page of a phone', async () => {
  await using _ = await openAs('chloe@example.com', '/account')
  expect(await screen.findByRole('link', { name: 'E-mail Not confirmed' })).toHaveAttribute('href', '/account_email')
})

test("the account page inside an app's web view stays one page", async () => {
  await using _ = await openAs('alice@example.com', '/account/app')
  expect(await screen.findByRole('region', { name: 'Preferences' })).toBeVisible()
})
