import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { photoRows } from '#server/mock/seed/records/photos.ts'
// The import also stubs the canvas for jsdom.
import '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { PHOTO } from './tracker-samples.tsx'

const DEMO = { demo: { password: 'Demo-1234', accounts: ['alice@example.com'] } }

test('with the mock server the page /dev/ui shows the parts of the portal in both themes, without a session', async () => {
  await renderAt('/dev/ui', { config: DEMO })
  expect(await screen.findByRole('heading', { level: 1, name: 'Type and parts' })).toBeVisible()
  for (const theme of ['light', 'dark'] as const) {
    const pane = (title: string) => screen.getByRole('group', { name: new RegExp(`^${title}: ${theme}$`, 'i') })
    expect(pane('Buttons')).toHaveAttribute('data-mantine-color-scheme', theme)
    expect(within(pane('Buttons')).getByRole('button', { name: 'Save' })).toBeVisible()
    expect(within(pane('Type')).getAllByText(/^--t\d$/)).toHaveLength(8)
    expect(within(pane('Pins and clusters')).getByRole('button', { name: 'Lost' })).toBeVisible()
    expect(within(pane('Rows of trackers')).getAllByText('Rex')).toHaveLength(3)
    expect(within(pane('Table')).getByRole('table', { name: `Orders, ${theme}` })).toBeVisible()
  }
})

test('the page /dev/ui opens dialogs, a sheet and a toast', async () => {
  const { user } = await renderAt('/dev/ui', { config: DEMO })
  const pane = within(await screen.findByRole('group', { name: 'Dialogs, sheet and toast: Dark' }))
  await user.click(pane.getByRole('button', { name: 'Open the dialog' }))
  const dialog = pane.getByRole('dialog', { name: 'Rename' })
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(pane.queryByRole('dialog')).toBeNull())
  await user.click(pane.getByRole('button', { name: 'Open the sheet' }))
  expect(pane.getByRole('region', { name: 'Sheet, dark' })).toBeVisible()
  await user.click(pane.getByRole('button', { name: 'Show a toast' }))
  expect(await screen.findByText('Rex was removed')).toBeVisible()
})

test('with another backend the address /dev/ui is not found', async () => {
  await renderAt('/dev/ui')
  expect(await screen.findByText('Page not found')).toBeVisible()
  expect(document.title).toBe('Whereabouts - Page not found')
  expect(screen.queryByText('Type and parts')).toBeNull()
})

test('the photo on the page /dev/ui is one of the mock server', () => {
  expect(photoRows.map(({ hash }) => hash)).toContain(PHOTO)
})
