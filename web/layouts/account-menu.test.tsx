import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import shell from '#locales/fr/portal.json' with { type: 'json' }
import inside from '#locales/fr/portal-inside.json' with { type: 'json' }
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { renderAt } from '#web/test/render-at.tsx'

const fr = { ...shell, ...inside }

async function openMenu() {
  const view = await renderAt('/nope', { token: 'abc' })
  const button = await screen.findByRole('button', { name: 'Account and settings' })
  await view.user.click(button)
  await screen.findByRole('combobox', { name: 'Language' })
  return { ...view, button }
}
const language = () => screen.getByRole('combobox', { name: 'Language', hidden: true })
const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme')

describe('account menu', () => {
  test('the account menu is closed at first, and its button says whether it is open', async () => {
    const { user, button } = await openMenu()
    expect(button).toHaveAttribute('aria-expanded', 'true')
    expect(language()).toBeVisible()
    await user.click(button)
    expect(button).toHaveAttribute('aria-expanded', 'false')
    expect(language()).not.toBeVisible()
  })

  test('Escape closes the account menu from any control inside and returns the focus to its button', async () => {
    const { user, button } = await openMenu()
    screen.getByRole('radio', { name: 'Dark' }).focus()
    await user.keyboard('{Escape}')
    expect(button).toHaveAttribute('aria-expanded', 'false')
    expect(button).toHaveFocus()
  })

  test('Escape outside the account menu does not move the focus', async () => {
    const { user, button } = await openMenu()
    await user.click(button)
    screen.getByRole('link', { name: 'Map' }).focus()
    await user.keyboard('{Escape}')
    expect(screen.getByRole('link', { name: 'Map' })).toHaveFocus()
  })

  test('a click outside closes the account menu', async () => {
    const { user, button } = await openMenu()
    await user.click(screen.getByRole('heading', { name: '404 error' }))
    expect(button).toHaveAttribute('aria-expanded', 'false')
  })

  test('Tab reaches everything in the account menu in visual order', async () => {
    const { user, button } = await openMenu()
    button.focus()
    const links = within(document.getElementById(button.getAttribute('aria-controls') ?? '')!).getAllByRole('link')
    for (const link of links.slice(0, -1)) {
      await user.tab()
      expect(link).toHaveFocus()
    }
    await user.tab()
    expect(language()).toHaveFocus()
    await user.tab()
    expect(screen.getByRole('radio', { checked: true })).toHaveFocus()
    await user.tab()
    expect(screen.getByRole('button', { name: 'Keyboard shortcuts' })).toHaveFocus()
    await user.tab()
    expect(screen.getByRole('link', { name: 'Log out' })).toHaveFocus()
  })
})

describe('R-1.26 language', () => {
  test('choosing a language translates the page at once, keeps the menu open and is saved', async () => {
    const { user, button } = await openMenu()
    await user.selectOptions(language(), 'fr')
    expect(await screen.findByRole('heading', { name: fr.error.notFoundHeading })).toBeVisible()
    expect(screen.getByRole('navigation', { name: fr.app.navigation })).toBeVisible()
    expect(within(screen.getByRole('navigation')).getByRole('link', { name: fr.nav.trackers })).toBeVisible()
    expect(button).toHaveAccessibleName(fr.account.menu)
    expect(button).toHaveAttribute('aria-expanded', 'true')
    expect(localStorage.getItem('language')).toBe('fr')
  })

  test('each language is named in itself and marked as such for screen readers', async () => {
    await openMenu()
    const options = within(language()).getAllByRole('option')
    expect(options.map((option) => option.getAttribute('lang'))).toEqual(options.map((option) => option.getAttribute('value')))
  })
})

describe('appearance', () => {
  test('the appearance follows the system until one is chosen', async () => {
    await openMenu()
    expect(screen.getByRole('radio', { name: 'System' })).toBeChecked()
    expect(storage.get('theme')).toBeNull()
  })

  test.each([
    ['Dark', 'dark'],
    ['Light', 'light'],
  ])('%s is applied, saved and applied again after a reload', async (name, stored) => {
    const { user, unmount } = await openMenu()
    await user.click(screen.getByRole('radio', { name }))
    await waitFor(() => expect(scheme()).toBe(stored))
    unmount()
    await openMenu()
    expect(scheme()).toBe(stored)
    expect(screen.getByRole('radio', { name })).toBeChecked()
  })

  test("an unknown stored appearance falls back to the system's", async () => {
    localStorage.setItem('theme', 'sepia')
    await openMenu()
    expect(screen.getByRole('radio', { name: 'System' })).toBeChecked()
  })

  test('the arrow keys choose the appearance', async () => {
    const { user } = await openMenu()
    screen.getByRole('radio', { name: 'System' }).focus()
    await user.keyboard('{ArrowLeft}')
    expect(screen.getByRole('radio', { name: 'Dark' })).toBeChecked()
  })
})

test("R-4.29 … R-4.31 R-3.91 … R-3.100 signing out removes the token and the session's data, but not the host app's values", async () => {
  const kept = [
    'boardName',
    'verifyNative',
    'hostAppVersion',
    'platform',
    'bundleId',
    'integerVersion',
    'deeplinkCapability',
    'hostOs',
    'nativeApp',
  ]
  for (const key of kept) localStorage.setItem(key, `my ${key}`)
  sessionStorage.setItem('draft', 'x')
  await using portal = await startPortal()
  const { user } = await renderAt('/trackers', { portal, as: 'alice@example.com' })
  await user.click(await screen.findByRole('button', { name: 'Account and settings' }))
  await user.click(await screen.findByRole('link', { name: 'Log out' }))
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(window.location.pathname).toBe('/login')
  expect([localStorage.getItem('token'), sessionStorage.length]).toEqual([null, 0])
  expect(kept.map((key) => localStorage.getItem(key))).toEqual(kept.map((key) => `my ${key}`))
})
