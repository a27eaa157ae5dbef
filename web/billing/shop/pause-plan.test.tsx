import { fireEvent, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openAs } from '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const { misty, oldTracker } = SEED.devices
const config = { features: [...FEATURES], graceDays: 14 }
const BUTTON = { name: 'Pause this plan' }
const path = `/subscription?devices=${misty}`

test('an owner pauses a plan until a day, reads until when, and resumes it', async () => {
  await using page = await openAs(ALICE, path, config)
  const { screen, user } = page
  await user.click(await screen.findByRole('button', BUTTON))
  const form = within(await screen.findByRole('dialog', { name: 'Pause the plan of Misty' }))
  expect(form.getByText(/no renewal is charged/)).toBeVisible()
  expect(form.queryByRole('textbox', { name: /^Why/ })).toBeNull()
  await user.click(form.getByRole('button', { name: 'Pause the plan' }))
  const note = within((await screen.findByRole('button', { name: 'Resume now' })).parentElement as HTMLElement)
  expect(note.getByText(/The plan is paused until/)).toBeVisible()
  expect(screen.queryByRole('button', BUTTON)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Move this plan to another tracker' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Resume now' }))
  expect(await screen.findByRole('button', BUTTON)).toBeVisible()
})

test('for a longer pause the owner asks support with a reason, and can withdraw the request', async () => {
  await using page = await openAs(ALICE, path, config)
  const { screen, user } = page
  await user.click(await screen.findByRole('button', BUTTON))
  const form = within(await screen.findByRole('dialog'))
  await user.click(form.getByRole('button', { name: 'Ask support to pause it' }))
  await user.type(form.getByRole('textbox', { name: /^Why/ }), 'The boat is on land')
  await user.click(form.getByRole('button', { name: 'Ask support to pause it' }))
  expect(await screen.findByText(/You asked support on .* to pause this plan until/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Withdraw the request' }))
  expect(await screen.findByRole('button', BUTTON)).toBeVisible()
})

test('the list of subscriptions says until when a plan is paused', async () => {
  await using page = await openAs(ALICE, path, config)
  const { screen, user } = page
  await user.click(await screen.findByRole('button', BUTTON))
  const form = within(await screen.findByRole('dialog'))
  fireEvent.change(form.getByLabelText(/^Paused until/), { target: { value: '2026-03-12' } })
  await user.click(form.getByRole('button', { name: 'Pause the plan' }))
  await screen.findByRole('button', { name: 'Resume now' })
  await user.click(screen.getAllByRole('link', { name: 'Plans' }).at(-1)!)
  expect((await screen.findAllByText(/Paused until Mar 12, 2026/)).length).toBeGreaterThan(0)
})

test('another backend without pauses offers none', async () => {
  await using page = await openAs(ALICE, path, { ...config, features: FEATURES.filter((name) => name !== 'planPauses') })
  expect(await page.screen.findByRole('button', { name: 'Pay by card' })).toBeVisible()
  expect(page.screen.queryByRole('button', BUTTON)).toBeNull()
})

test('a plan that has ended cannot be paused', async () => {
  await using other = await openAs(ALICE, `/subscription?devices=${oldTracker}`, config)
  expect(await other.screen.findByRole('button', { name: 'Pay by card' })).toBeVisible()
  expect(other.screen.queryByRole('button', BUTTON)).toBeNull()
})
