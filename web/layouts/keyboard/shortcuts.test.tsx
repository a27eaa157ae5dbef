import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { shortcuts } from '#web/lib/navigation/shortcuts.ts'
import { storage } from '#web/lib/storage.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

afterEach(() => shortcuts.show(false))

const here = () => window.location.pathname
const list = () => screen.findByRole('dialog', { name: 'Keyboard shortcuts' })

test('/ searches, G and a letter opens a section and ? lists the shortcuts, but none of them while typing', async () => {
  await using page = await openAs('alice@example.com', '/trackers')
  const { user } = page
  const field = await screen.findByRole('textbox', { name: 'Search name, tag, address' })
  await user.keyboard('/')
  expect(field).toHaveFocus()
  await user.keyboard('?gp')
  expect(field).toHaveValue('?gp')
  expect([here(), screen.queryByRole('dialog')]).toEqual(['/trackers', null])
  field.blur()
  await user.keyboard('gp')
  await waitFor(() => expect(here()).toBe('/places'))
  await user.keyboard('p')
  await user.keyboard('?')
  const keys = within(await list())
  expect(keys.getAllByRole('term').length).toBe(keys.getAllByRole('definition').length)
  expect(keys.getByText('Play or pause')).toBeVisible()
  expect(here()).toBe('/places')
})

test('the list of shortcuts opens from menu and palette, and turns single-key shortcuts off', async () => {
  const { user } = await renderAt('/nope', { token: 'abc' })
  await user.click(await screen.findByRole('button', { name: 'Account and settings' }))
  await user.click(await screen.findByRole('button', { name: 'Keyboard shortcuts' }))
  await user.click(within(await list()).getByRole('checkbox', { name: /Single-key shortcuts/ }))
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect(storage.get('singleKeys')).toBe('off')
  await user.keyboard('?')
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: 'Search' }), 'shortc{Enter}')
  expect(await list()).toBeVisible()
})

test('R-1.5 a native app has neither shortcuts nor their list', async () => {
  storage.set('nativeApp', 'true')
  const { user } = await renderAt('/nope', { token: 'abc' })
  await user.click(await screen.findByRole('button', { name: 'Account and settings' }))
  await screen.findByRole('link', { name: 'Log out' })
  expect(screen.queryByRole('button', { name: 'Keyboard shortcuts' })).toBeNull()
  await user.keyboard('?')
  expect(screen.queryByRole('dialog')).toBeNull()
})
