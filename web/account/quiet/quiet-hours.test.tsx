import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { withHabit } from '#web/test/habits.ts'
import { renderAt } from '#web/test/render-at.tsx'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const PATH = '/users/quiet_hours/'
const NIGHT = { days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '07:00' }
const groups = () => screen.findAllByRole('group', { name: /–|Mon|Sat/ })

describe('spans of quiet hours', () => {
  const open = async (portal: Portal, spans: object[]) => {
    await portal.call(ALICE, 'PUT', PATH, { spans })
    const { user } = await renderAt('/account/preferences', { portal, as: ALICE, config: { features: [...FEATURES] } })
    return { user, saved: async () => (await portal.call(ALICE, 'GET', PATH)).body.spans }
  }

  test('a span is added for the weekend, gets other days and times, and a sentence says what is quiet', async () => {
    await using portal = await startPortal()
    const { user, saved } = await open(portal, [NIGHT])
    expect(await screen.findByText(/^Quiet: every day, 10:00\sPM–7:00\sAM$/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Add a time' }))
    await waitFor(async () => expect(await saved()).toEqual([NIGHT, { days: [6, 7], from: '07:00', to: '09:00' }]))
    const weekend = within((await groups())[1]!)
    await user.click(weekend.getByRole('checkbox', { name: 'Friday' }))
    await user.selectOptions(weekend.getByRole('combobox', { name: 'Until' }), '11:30')
    await waitFor(async () => expect((await saved())[1]).toEqual({ days: [5, 6, 7], from: '07:00', to: '11:30' }))
    expect(await screen.findByText(/^Quiet: every day, .*; Fri, Sat, Sun, 7:00\sAM–11:30\sAM$/)).toBeVisible()
  })

  test('a span is removed, and its last day cannot be', async () => {
    await using portal = await startPortal()
    const { user, saved } = await open(portal, [NIGHT, { ...NIGHT, days: [3] }])
    const second = within((await groups())[1]!)
    expect(second.getByRole('checkbox', { name: 'Wednesday' })).toBeDisabled()
    await user.click(within((await groups())[0]!).getByRole('button', { name: /^Delete: every day/ }))
    await waitFor(async () => expect(await saved()).toEqual([{ ...NIGHT, days: [3] }]))
    expect(screen.queryByRole('button', { name: /^Delete:/ })).toBeNull()
  })

  test('equal times are a whole day, and spans that would never end are not saved', async () => {
    const workdays = { days: [1, 2, 3, 4, 5], from: '00:00', to: '00:00' }
    const weekend = { days: [6, 7], from: '00:00', to: '09:00' }
    await using portal = await startPortal()
    const { user, saved } = await open(portal, [workdays, weekend])
    await user.selectOptions(within((await groups())[1]!).getByRole('combobox', { name: 'Until' }), '00:00')
    expect(await screen.findByText('Leave some time in which alerts may come.')).toBeVisible()
    expect(await saved()).toEqual([workdays, weekend])
  })
})

test('of a backend that knows no spans, the page shows and saves one daily period', async () => {
  await using portal = await startPortal()
  await portal.call(ALICE, 'PUT', PATH, { quiet: { from: '21:00', to: '06:00' } })
  const server = withHabit(portal, (json) => json.replace(/"spans":\[.*?\}\],/, ''), String)
  const { user } = await renderAt('/account/preferences', { portal: server, as: ALICE, config: { features: [...FEATURES] } })
  const until = await screen.findByRole('combobox', { name: 'Until' })
  expect(until).toHaveValue('06:00')
  for (const name of ['Add a time', 'Monday']) expect(screen.queryByLabelText(name) ?? screen.queryByText(name)).toBeNull()
  await user.selectOptions(until, '08:30')
  await waitFor(async () => expect((await portal.call(ALICE, 'GET', PATH)).body.quiet).toEqual({ from: '21:00', to: '08:30' }))
})
