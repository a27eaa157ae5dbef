import { screen, waitFor, within } from '@testing-library/react'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { devices } from '#db/schema/devices.ts'
import { publishLowBattery } from '#server/alerts/publish-alerts.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { openAs } from '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const ALL = { features: [...FEATURES] }
const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

test('the alerts screen links to the fired alerts, each with a link to its day in the history', async () => {
  await using page = await openAs(ALICE, '/alerts', ALL)
  await page.user.click(await screen.findByRole('link', { name: 'What fired' }))
  expect(await screen.findByText('Family car started to move')).toBeVisible()
  expect(rows()[1]).toMatch(/^Rex left Home.*2 e-mails sent$/)
  expect(rows()[6]).toMatch(/^City bike left Summer house.*No e-mail sent$/)
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

test('the list shows a period of whole days in the time zone of the browser, named in the address', async () => {
  await using page = await openAs(ALICE, '/alerts/fired', ALL)
  await screen.findByText('Family car started to move')
  const { firings } = (await page.portal.call(ALICE, 'GET', '/alert_firings/')).body as { firings: { at: string }[] }
  const days = firings.map(({ at }) => new Date(at).toLocaleDateString('en-CA'))
  const day = days.at(-1)!
  const [year, month, date] = day.split('-')
  for (const name of ['From day', 'Until day'])
    await page.user.type(screen.getByRole('textbox', { name: new RegExp(`^${name}`) }), `${month}/${date}/${year}`)
  const expected = days.filter((each) => each === day).length
  expect(expected).toBeLessThan(days.length)
  await waitFor(() => expect(rows()).toHaveLength(expected))
  expect(window.location.search).toBe(`?from=${day}&to=${day}`)
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

test('showing an alert marks it as read, and the number in the navigation follows', async () => {
  await using page = await openAs(ALICE, '/alerts/fired', ALL)
  await screen.findByText('Rex left Home')
  const { world } = page.portal
  const rex = (await world.db.read.select().from(devices).where(eq(devices.id, SEED.devices.rex)))[0]!
  await world.db.write('everything', (tx) => publishLowBattery(tx, rex, world.clock.now()))
  await queryClient.invalidateQueries()
  expect(await screen.findByText('Unread alerts: 1')).toBeInTheDocument()
  await page.user.click(await screen.findByRole('link', { name: 'Rex has a low battery, unread' }))
  expect(await screen.findByRole('heading', { name: 'Rex has a low battery' })).toBeVisible()
  expect(within(screen.getByRole('region', { name: 'Who was notified' })).getByText('E-mail: alice@example.com')).toBeVisible()
  await waitFor(() => expect(screen.queryByText('Unread alerts: 1')).toBeNull())
  await page.user.click(screen.getByRole('button', { name: 'Mark as unread' }))
  expect(await screen.findByText('Unread alerts: 1')).toBeInTheDocument()
})

test('a false alarm is marked, and the mark is taken back', async () => {
  await using page = await openAs(ALICE, '/alerts/fired', ALL)
  await page.user.click(await screen.findByRole('link', { name: 'Misty entered Home' }))
  await page.user.click(await screen.findByRole('button', { name: 'False alarm' }))
  expect(await screen.findByRole('link', { name: 'Change or switch off the alert' })).toBeVisible()
  await page.user.click(screen.getByRole('button', { name: 'Not a false alarm' }))
  expect(await screen.findByRole('button', { name: 'False alarm' })).toBeVisible()
})

test('alerts like the shown one are muted for an hour, and the silence is undone', async () => {
  await using page = await openAs(ALICE, '/alerts/fired', ALL)
  await page.user.click(await screen.findByRole('link', { name: 'Misty entered Home' }))
  await page.user.click(await screen.findByRole('button', { name: 'Mute for 1 hour' }))
  const list = async () => (await page.portal.call(ALICE, 'GET', '/alert_silences/')).body
  await waitFor(async () =>
    expect(await list()).toMatchObject([{ devices: [SEED.devices.misty], kinds: ['place_enter'], place: SEED.places.home }]),
  )
  await page.user.click(await screen.findByRole('button', { name: /Undo/ }))
  await waitFor(async () => expect(await list()).toEqual([]))
})

test('in a window with little space the filters are folded, and name the values that are chosen', async () => {
  const match = window.matchMedia
  const small = vi
    .spyOn(window, 'matchMedia')
    .mockImplementation((media) => (media.includes('max-height') ? { ...match(media), matches: true } : match(media)))
  await using page = await openAs(ALICE, `/alerts/fired?tracker=${SEED.devices.rex}`, ALL)
  const summary = await screen.findByText('Filter: Rex')
  expect(screen.getByRole('combobox', { name: 'Tracker', hidden: true })).not.toBeVisible()
  await page.user.click(summary)
  await page.user.selectOptions(screen.getByRole('combobox', { name: 'Place' }), 'Home')
  expect(await screen.findByText('Filter: Rex, Home')).toBeVisible()
  small.mockRestore()
})
