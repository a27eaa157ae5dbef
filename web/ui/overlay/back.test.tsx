import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openAs } from '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const dialog = () => screen.queryByRole('dialog')
const goBack = () => window.history.back()

test('Back closes a dialog and stays on its page; the next Back leaves the page', async () => {
  await using page = await openAs(ALICE, '/tags')
  await page.user.click(await screen.findByRole('link', { name: 'Trackers' }))
  await screen.findByRole('heading', { level: 1, name: /^Trackers/ })
  goBack()
  await page.user.click(await screen.findByRole('button', { name: 'Add tag' }))
  expect(dialog()).toBeVisible()
  goBack()
  await waitFor(() => expect(dialog()).toBeNull())
  expect(window.location.pathname).toBe('/tags')
})

test('Back skips the entry of a dialog that was closed by its button', async () => {
  await using page = await openAs(ALICE, '/contacts')
  await page.user.click(await screen.findByRole('link', { name: 'Places' }))
  await screen.findByRole('heading', { name: /^Places/ })
  await page.user.click(await screen.findByRole('button', { name: 'Delete: Home' }))
  await page.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }))
  goBack()
  await waitFor(() => expect(window.location.pathname).toBe('/contacts'))
  expect(await screen.findByRole('button', { name: 'Add contact' })).toBeVisible()
})

test('Back asks before unsent input is lost, and closes after confirmation', async () => {
  await using page = await openAs(ALICE, '/tags')
  await page.user.click(await screen.findByRole('button', { name: 'Add tag' }))
  await page.user.type(screen.getByLabelText(/^Name/), 'Boats')
  goBack()
  await page.user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  expect(screen.getByLabelText(/^Name/)).toHaveValue('Boats')
  goBack()
  await page.user.click(await screen.findByRole('button', { name: 'Discard changes' }))
  expect(dialog()).toBeNull()
  expect(window.location.pathname).toBe('/tags')
})

test('the address names the dialog of a tracker, and opens it again', async () => {
  await using page = await openAs(ALICE, '/trackers/3?sheet=share')
  const share = await screen.findByRole('dialog')
  expect(window.location.search).toBe('?sheet=share')
  await page.user.click(within(share).getAllByRole('button', { name: 'Close' })[0]!)
  await waitFor(() => expect(window.location.search).toBe(''))
  await page.user.click(screen.getByRole('button', { name: 'Mode' }))
  await screen.findByRole('dialog')
  expect(window.location.search).toBe('?sheet=mode')
  goBack()
  await waitFor(() => expect(dialog()).toBeNull())
  expect(window.location.pathname + window.location.search).toBe('/trackers/3')
})

test('Forward opens the dialog of a tracker again that Back has closed', async () => {
  await using page = await openAs(ALICE, '/trackers/3')
  await page.user.click(await screen.findByRole('button', { name: 'Share' }))
  await screen.findByRole('dialog')
  goBack()
  await waitFor(() => expect(dialog()).toBeNull())
  window.history.forward()
  expect(await screen.findByRole('dialog')).toBeVisible()
  expect(window.location.search).toBe('?sheet=share')
  goBack()
  await waitFor(() => expect(dialog()).toBeNull())
})
