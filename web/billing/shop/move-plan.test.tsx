import { within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openAs } from '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const { misty, oldTracker } = SEED.devices
const config = { features: [...FEATURES] }
const BUTTON = { name: 'Move this plan to another tracker' }

test('an owner moves a plan to a tracker without one, and reads the consequence first', async () => {
  await using page = await openAs(ALICE, `/subscription?devices=${misty}`, config)
  const { screen, user } = page
  await user.click(await screen.findByRole('button', BUTTON))
  const form = within(await screen.findByRole('dialog', { name: 'Move the plan of Misty' }))
  expect(form.getByText(/Misty then has no subscription/)).toBeVisible()
  expect(form.queryByRole('option', { name: 'Rex' })).toBeNull()
  expect(form.queryByRole('textbox')).toBeNull()
  await user.selectOptions(form.getByRole('combobox', { name: 'Move it to' }), 'Old tracker')
  await user.click(form.getByRole('button', { name: 'Move the plan' }))
  expect(await screen.findByText('The plan is on Old tracker now')).toBeVisible()
  expect(await screen.findByRole('heading', { name: 'Plans' })).toBeVisible()
})

test('beyond the limit the owner asks support with a reason, and then sees the open request', async () => {
  await using page = await openAs(ALICE, `/subscription?devices=${misty}`, config)
  const { screen, user } = page
  await user.click(await screen.findByRole('button', BUTTON))
  const first = within(await screen.findByRole('dialog'))
  await user.selectOptions(first.getByRole('combobox', { name: 'Move it to' }), 'Old tracker')
  await user.click(first.getByRole('button', { name: 'Move the plan' }))
  await user.click(await screen.findByRole('link', { name: 'Extend: Old tracker' }))
  await user.click(await screen.findByRole('button', BUTTON))
  const form = within(await screen.findByRole('dialog', { name: 'Move the plan of Old tracker' }))
  expect(form.getByText(/From .* you can do it yourself again/)).toBeVisible()
  await user.selectOptions(form.getByRole('combobox', { name: 'Move it to' }), 'Misty')
  await user.type(form.getByRole('textbox', { name: /^Why/ }), 'The collar is broken')
  await user.click(form.getByRole('button', { name: 'Ask support to move it' }))
  expect(await screen.findByText(/You asked support on .* to move this plan to Misty/)).toBeVisible()
  expect(screen.queryByRole('button', BUTTON)).toBeNull()
})

test('another backend without moves offers none', async () => {
  await using page = await openAs(ALICE, `/subscription?devices=${misty}`, { features: FEATURES.filter((name) => name !== 'planMoves') })
  expect(await page.screen.findByRole('button', { name: 'Pay by card' })).toBeVisible()
  expect(page.screen.queryByRole('button', BUTTON)).toBeNull()
})

test('a tracker without a running plan offers no move', async () => {
  await using page = await openAs(ALICE, `/subscription?devices=${oldTracker}`, config)
  expect(await page.screen.findByRole('button', { name: 'Pay by card' })).toBeVisible()
  expect(page.screen.queryByRole('button', BUTTON)).toBeNull()
})
