import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openAs } from '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const open = (id: number, query = '', config = { features: [...FEATURES] }) => openAs(ALICE, `/trackers/${id}/months${query}`, config)

test('the months of a tracker show each day with its distance, linked to its history, and a comparison with the previous period', async () => {
  await using page = await open(SEED.devices.rex)
  const february = within(await screen.findByRole('grid', { name: /^February 2026/ }))
  const day = february.getByRole('link', { name: /^Saturday,? (14 February|February 14): / })
  expect(day).toHaveAttribute('href', '/trackers/1/history?day=2026-02-14')
  const tz = Intl.DateTimeFormat().resolvedOptions().timeZone
  const { body } = await page.portal.call(ALICE, 'GET', `/devices/1/days/?from=2026-01-01&to=2026-03-02&tz=${tz}`)
  expect(february.getAllByRole('link')).toHaveLength(body.days.filter(({ day }: { day: string }) => day.startsWith('2026-02')).length)
  const month = within(screen.getByRole('heading', { name: 'This month' }).closest('li')!)
  expect(month.getByText(/^Last month by this day: \d/)).toBeVisible()
  expect(month.getByText(/^([+-]\d+|0)%$/)).toBeVisible()
  expect(screen.getByText('Best day').nextElementSibling).toHaveTextContent(/\d (km|mi|m)$/)
})

test('a month is one tab stop, and the arrow keys move between its days', async () => {
  await using page = await open(SEED.devices.rex)
  const february = within(await screen.findByRole('grid', { name: /^February 2026/ }))
  const links = february.getAllByRole('link')
  expect(links.filter(({ tabIndex }) => tabIndex === 0)).toEqual([links.at(-1)])
  links.at(-1)!.focus()
  await page.user.keyboard('{ArrowLeft}')
  expect(links.at(-2)).toHaveFocus()
  await page.user.keyboard('{ArrowUp}{ArrowDown}{ArrowRight}')
  expect(links.at(-1)).toHaveFocus()
  await page.user.keyboard('{ArrowRight}{ArrowDown}')
  expect(links.at(-1)).toHaveFocus()
})

test('the previous year is one step back, and a year without positions says so', async () => {
  await using page = await open(SEED.devices.rex)
  await page.user.click(await screen.findByRole('link', { name: 'Previous year' }))
  expect(await screen.findByRole('grid', { name: /^December 2025/ })).toBeVisible()
  await page.user.click(screen.getByRole('link', { name: 'Previous year' }))
  expect(await screen.findByText('No data for this period')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Next year' })).toHaveAttribute('href', expect.stringContaining('year=2025'))
})

test('a tracker without positions has no months, and an unknown one is not found', async () => {
  await using page = await open(SEED.devices.newTracker)
  expect(await screen.findByText('No data for this period')).toBeVisible()
  expect(screen.queryByRole('heading', { name: 'This week' })).toBeNull()
  page.unmount()
  await using _other = await open(987_654)
  expect(await screen.findByRole('alert')).toBeVisible()
})

test('a backend without day totals has no such screen and no link to it', async () => {
  const features = FEATURES.filter((name) => name !== 'days')
  await using page = await open(SEED.devices.rex, '', { features })
  expect(await screen.findByText('Page not found')).toBeVisible()
  page.unmount()
  await using _history = await openAs(ALICE, '/trackers/1/history', { features })
  expect(await screen.findByRole('heading', { name: 'History' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Months' })).toBeNull()
})
