import { within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { confirmActivation } from '#web/test/confirm-activation.ts'
import { openAs } from '#web/test/open-as.tsx'

async function openCard(name: string, as = 'alice@example.com') {
  const page = await openAs(as, '/')
  if (name === 'Spare tracker') await page.user.click(await page.screen.findByRole('button', { name: 'Not in use (4)' }))
  await page.user.click(await page.screen.findByRole('link', { name: new RegExp(`^${name}`) }))
  return { ...page, card: within(await page.screen.findByRole('article', { name })) }
}

test('R-9.3 R-5.9 a tracker has at most five links, and deleting one allows another', async () => {
  await using page = await openCard('City bike')
  const { user, screen, card } = page
  await user.click(await card.findByRole('button', { name: 'Share' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Share City bike' }))
  expect(await dialog.findAllByRole('listitem')).toHaveLength(5)
  expect(dialog.getByText('You cannot create more than 5 links per Tracker')).toBeVisible()
  expect(dialog.queryByRole('button', { name: 'Create link' })).toBeNull()
  const [first] = dialog.getAllByRole('button', { name: /^Delete link/ })
  await user.click(first!)
  await user.click(dialog.getByRole('button', { name: 'Delete' }))
  const name = await dialog.findByRole('textbox', { name: /Name of the link/ })
  await user.clear(name)
  await user.type(name, 'For the vet')
  await user.click(dialog.getByRole('button', { name: 'Create link' }))
  expect(await dialog.findByRole('link', { name: 'For the vet' })).toHaveAttribute(
    'href',
    expect.stringMatching(/\/pub\/trackers\?token=[\w-]{36}$/),
  )
})

test('R-9.4 links that end after 2100 are shown as permanent and past ones as expired', async () => {
  await using page = await openCard('City bike')
  await page.user.click(await page.card.findByRole('button', { name: 'Share' }))
  const dialog = within(await page.screen.findByRole('dialog'))
  expect(await dialog.findAllByText('Permanent')).toHaveLength(2)
  expect(dialog.getAllByText('Expired')).toHaveLength(1)
})

test('R-4.3 R-4.4 lost mode asks for confirmation and then shows the settings as sending', async () => {
  await using page = await openCard('Misty')
  const { user, screen, card } = page
  await user.click(card.getByRole('button', { name: 'Mark as lost' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Lost mode for Misty?' }))
  await user.click(dialog.getByRole('button', { name: 'Turn on lost mode' }))
  expect(await card.findByText(/Settings.sending/)).toBeVisible()
  expect(card.getByText('Lost mode will apply at the next communication.')).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a monitoring level is chosen to leave lost mode', async () => {
  await using page = await openCard('Runaway cat')
  await page.user.click(page.card.getByRole('button', { name: 'Lost mode' }))
  const dialog = within(await page.screen.findByRole('dialog', { name: 'End lost mode of Runaway cat' }))
  await page.user.click(dialog.getByRole('radio', { name: /^High/ }))
  await page.user.click(dialog.getByRole('button', { name: 'Use this mode' }))
  expect(await page.card.findByText(/^High.*will apply at the next communication/)).toBeVisible()
})

test('R-9.17 a dog has three monitoring levels, each with its reporting interval', async () => {
  await using page = await openCard('Rex')
  await page.user.click(page.card.getByRole('button', { name: 'Mode' }))
  const dialog = within(await page.screen.findByRole('dialog', { name: 'Mode of Rex' }))
  expect(dialog.getAllByRole('radio')).toHaveLength(3)
  expect(dialog.getByRole('radio', { name: /Standard.*every hour/ })).toBeChecked()
  expect(dialog.getByRole('button', { name: 'Use this mode' })).toBeDisabled()
})

test('a tracker that is not activated can be activated and then boosted', async () => {
  await using page = await openCard('Spare tracker')
  const { user, card } = page
  expect(card.getByRole('button', { name: 'Boost' })).toBeDisabled()
  expect(card.getByText('Boost, lost mode and a change of mode need an active subscription.')).toBeVisible()
  await user.click(await card.findByRole('button', { name: 'Activate subscription' }))
  await confirmActivation(user)
  expect(await card.findByText('Active until')).toBeVisible()
  expect(card.getByRole('button', { name: 'Boost' })).toBeEnabled()
})

test('support sees every action disabled', async () => {
  await using page = await openCard('Misty', 'support@example.com')
  expect(await page.card.findByText('Your role lets you view everything but change nothing.')).toBeVisible()
  for (const name of ['Share', 'Boost', 'Mark as lost', 'Mode']) expect(await page.card.findByRole('button', { name })).toBeDisabled()
})
