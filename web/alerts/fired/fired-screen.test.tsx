import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openAs } from '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const ALL = { features: [...FEATURES] }
const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

test('the alerts screen links to the fired alerts, each with a link to its day in the history', async () => {
  await using page = await openAs(ALICE, '/alerts', ALL)
  await page.user.click(await screen.findByRole('link', { name: 'What fired' }))
  expect(await screen.findByText('Family car started to move')).toBeVisible()
  expect(rows()[1]).toMatch(/^Rex left Home.*2 e-mails sent$/)
  expect(rows()[5]).toMatch(/^City bike left Summer house.*No e-mail sent$/)
  expect(screen.getByRole('link', { name: /^Show the day in the history: Rex left Home/ })).toHaveAttribute(
    'href',
    expect.stringMatching(/\/trackers\/1\/history\?day=2026-03-0\d$/),
  )
})

test('the list shows one tracker or one place, as named in the address', async () => {
  await using page = await openAs(ALICE, `/alerts/fired?place=${SEED.places.home}`, ALL)
  expect(await screen.findByText('Misty entered Home')).toBeVisible()
  expect(rows()).toHaveLength(3)
  await screen.findByRole('option', { name: 'Rex' })
  await page.user.selectOptions(screen.getByRole('combobox', { name: 'Tracker' }), 'Rex')
  await waitFor(() => expect(rows()).toHaveLength(2))
  expect(window.location.search).toBe(`?place=${SEED.places.home}&tracker=${SEED.devices.rex}`)
  await page.user.selectOptions(screen.getByRole('combobox', { name: 'Tracker' }), 'Misty')
  await page.user.selectOptions(screen.getByRole('combobox', { name: 'Place' }), 'Cabin')
  expect(await screen.findByText('Nothing fired')).toBeVisible()
})

test('the card of a tracker links to the alerts that fired for it', async () => {
  await using page = await openAs(ALICE, `/trackers/${SEED.devices.rex}`, ALL)
  await page.user.click(await screen.findByRole('link', { name: 'What fired' }))
  expect(await screen.findByText('Rex left Home')).toBeVisible()
  expect(window.location.search).toBe(`?tracker=${SEED.devices.rex}`)
})

test('a backend without the list has no link to it', async () => {
  await using _ = await openAs(ALICE, '/alerts', { features: FEATURES.filter((name) => name !== 'firings') })
  expect(await screen.findByText('Back home')).toBeVisible()
  expect(screen.queryByRole('link', { name: 'What fired' })).toBeNull()
})
