import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { storage } from '#web/lib/storage.ts'
import { renderAt } from '#web/test/render-at.tsx'

const open = () => renderAt('/nope', { token: 'abc' })
const account = () => screen.findByRole('button', { name: 'Account and settings' })

test('the account menu changes the appearance and saves it', async () => {
  const { user } = await open()
  await user.click(await account())
  await user.click(await screen.findByRole('radio', { name: 'Dark' }))
  expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark')
  expect(storage.get('theme')).toBe('dark')
})

test('R-1.23 the account menu offers the twelve languages by their own names', async () => {
  const { user } = await open()
  await user.click(await account())
  const languages = within(await screen.findByRole('combobox', { name: 'Language' })).getAllByRole('option', { hidden: true })
  expect(languages.map(({ textContent }) => textContent)).toEqual([
    'English',
    'Français',
    'Deutsch',
    'Español',
    'Italiano',
    'Nederlands',
    'Português',
    'Svenska',
    'Suomi',
    'Magyar',
    'Čeština',
    '日本語',
  ])
})

test('R-4.31 the account menu signs out', async () => {
  const { user } = await open()
  await user.click(await account())
  await user.click(await screen.findByRole('link', { name: 'Log out' }))
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(storage.get('token')).toBeNull()
})

test('Ctrl K opens the palette, which is used with letters, arrows and Enter', async () => {
  const { user } = await open()
  await account()
  await user.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: 'Search' })
  await user.type(field, 'log')
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Log out'])
  await user.keyboard('{Enter}')
  await waitFor(() => expect(window.location.pathname).toBe('/login'))
})

test('the palette says when nothing matches', async () => {
  const { user } = await open()
  await account()
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: 'Search' }), 'zzz')
  expect(screen.getByText('Nothing found')).toBeVisible()
})
