import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { storage } from '#web/lib/storage.ts'
import { openAs } from '#web/test/open-as.tsx'
import { openChecklist } from './open-checklist.ts'

test('after a first tracker the list shows what is left to set up, and where', async () => {
  await using page = await openAs('dario@example.com', '/?start=report&kind=cat', { features: [...FEATURES] })
  await page.user.type(await screen.findByRole('textbox', { name: 'ID or S/N' }), '9000000001')
  await page.user.click(screen.getByRole('button', { name: 'Add tracker' }))
  await page.user.click(within(await screen.findByRole('article', { name: 'Cat' })).getByRole('button', { name: 'Close' }))
  expect(await screen.findByText('Getting started')).toBeVisible()
  expect(screen.getByText('1 of 5')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Home saved' })).toHaveAttribute('href', '/places/new')
  expect(screen.getByRole('link', { name: 'Alert when it leaves' })).toHaveAttribute('href', '/alerts/new')
  expect(screen.getByRole('link', { name: 'Shared with someone' }).getAttribute('href')).toMatch(/^\/trackers\/\d+\?sheet=share$/)
})

test('the list stays away once it is hidden', async () => {
  openChecklist()
  await using page = await openAs('haruka@example.com', '/')
  await page.user.click(await screen.findByRole('button', { name: 'Hide this list' }))
  await waitFor(() => expect(screen.queryByText('Getting started')).toBeNull())
  expect(storage.get('checklist')).toBeNull()
})

test('the list goes away by itself when all is done', async () => {
  openChecklist()
  await using _ = await openAs('alice@example.com', '/')
  await waitFor(() => expect(storage.get('checklist')).toBeNull())
  expect(screen.queryByText('Getting started')).toBeNull()
})
