import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { announcements } from '#db/schema/staff.ts'
import { openConsole } from '#web/test/open-console.ts'

/** A time of the form's field, in the zone of the browser. */
const local = (at: Date) => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

test('a message in two languages is announced and ended', async () => {
  await using page = await openConsole('/operator/announcements', { role: 'support' })
  const { screen, user, portal } = page
  expect(await screen.findByRole('heading', { name: 'No announcement' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'New announcement' }))
  const dialog = within(screen.getByRole('dialog'))
  await user.type(dialog.getByLabelText(/^Message in English/), 'The map rests')
  await user.selectOptions(dialog.getByLabelText('Add a language'), 'Deutsch')
  await user.type(dialog.getByLabelText(/^Message in Deutsch/), 'Die Karte ruht')
  await user.type(dialog.getByLabelText(/^Until/), local(new Date(portal.clock.now().getTime() - 86_400_000)))
  await user.click(dialog.getByRole('button', { name: 'Show' }))
  expect(await dialog.findByText('The end must be after the beginning and in the future')).toBeVisible()
  await user.clear(dialog.getByLabelText(/^Until/))
  await user.type(dialog.getByLabelText(/^Until/), local(new Date(portal.clock.now().getTime() + 86_400_000)))
  await user.click(dialog.getByRole('button', { name: 'Show' }))
  const row = within(await screen.findByRole('row', { name: /^The map rests/ }))
  expect(row.getByText('Shown now')).toBeVisible()
  await user.click(row.getByRole('button', { name: 'End now' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'End now' }))
  await waitFor(() => expect(within(screen.getByRole('row', { name: /^The map rests/ })).getByText('Past')).toBeVisible())
})

test('the list is filtered by state, in the address', async () => {
  await using page = await openConsole('/operator/announcements', { role: 'admin' })
  const { screen, user } = page
  await user.click(await screen.findByRole('button', { name: 'Coming' }))
  expect(window.location.search).toBe('?state=coming')
  expect(await screen.findByRole('heading', { name: 'No announcement' })).toBeVisible()
})

test('announcements are sorted by their heads', async () => {
  await using page = await openConsole('/operator/staff', { role: 'admin' })
  const { screen, user, portal } = page
  const day = (n: number) => new Date(portal.clock.now().getTime() + n * 86_400_000)
  await portal.world.db.write('everything', async (tx) => {
    const common = { level: 'info', createdAt: portal.clock.now() } as const
    await tx.insert(announcements).values({ ...common, texts: { en: 'Zebra' }, startsAt: day(-2), endsAt: day(1) })
    await tx.insert(announcements).values({ ...common, texts: { en: 'Apple' }, startsAt: day(-1), endsAt: day(3) })
    await tx.insert(announcements).values({ ...common, texts: { en: 'Mango' }, startsAt: day(-3), endsAt: day(2) })
  })
  await user.click(await screen.findByRole('link', { name: 'Announcements' }))
  const messages = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
  const head = async (name: string) => user.click(within(await screen.findByRole('columnheader', { name })).getByRole('button'))
  await head('Message')
  expect(messages()).toEqual(['Apple', 'Mango', 'Zebra'])
  await head('Until')
  expect(messages()).toEqual(['Zebra', 'Mango', 'Apple'])
  await head('From')
  await head('From')
  expect(messages()).toEqual(['Apple', 'Zebra', 'Mango'])
})
