import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import portal from '#locales/en/portal.json' with { type: 'json' }
import inside from '#locales/en/portal-inside.json' with { type: 'json' }
import { openCard } from '#web/test/card.tsx'
import { confirmActivation } from '#web/test/confirm-activation.ts'

const en = { ...portal, ...inside }

const { subscription: SUBSCRIPTION, plane: PLANE, readOnly: READ_ONLY } = en.tracker.blocked
const NAMES = ['Share', 'Boost', 'Mark as lost', 'Mode'] as const

const disabled = ({ card }: Awaited<ReturnType<typeof openCard>>) =>
  NAMES.filter((name) => {
    const label = name === 'Mark as lost' ? /^(Mark as lost|Lost mode)$/ : name
    return card.getByRole<HTMLButtonElement>('button', { name: label }).disabled
  })

describe('blocked actions', () => {
  test.each([
    [15, 'R-4.18 without a subscription', SUBSCRIPTION, ['Boost', 'Mark as lost', 'Mode']],
    [7, 'R-4.18 with a subscription that is not activated', SUBSCRIPTION, ['Boost', 'Mark as lost', 'Mode']],
    [18, 'R-4.18 with an ended subscription', SUBSCRIPTION, ['Boost', 'Mark as lost', 'Mode']],
    [9, 'R-4.9 deactivated with an ended subscription', SUBSCRIPTION, ['Boost', 'Mark as lost', 'Mode']],
    [5, 'R-4.12 in plane mode', PLANE, ['Boost']],
  ])('tracker %i, %s, disables its blocked actions and says why', async (id, _, reason, blocked) => {
    await using page = await openCard(id)
    expect(disabled(page)).toEqual(blocked)
    expect(page.card.getByText(reason)).toBeVisible()
    for (const name of blocked) expect(page.card.getByRole('button', { name })).toHaveAccessibleDescription(reason)
  })

  test.each([1, 3, 11, 13, 14, 17])('tracker %i with a running subscription has every action enabled and no reason shown', async (id) => {
    await using page = await openCard(id)
    expect(disabled(page)).toEqual([])
    for (const reason of [SUBSCRIPTION, PLANE]) expect(page.card.queryByText(reason)).toBeNull()
  })

  test('R-6.4 support sees every action of a tracker disabled as read-only', async () => {
    await using page = await openCard(15, 'support@example.com')
    await waitFor(() => expect(disabled(page)).toEqual([...NAMES]))
    expect(page.card.getByRole('button', { name: 'Mode' })).toHaveAccessibleDescription(READ_ONLY)
    expect(page.card.queryByRole('button', { name: 'Activate subscription' })).toBeNull()
    expect(page.card.getByRole('link', { name: 'History' })).toBeVisible()
  })
})

describe('R-7.10 activation', () => {
  test.each([7, 8])('activating tracker %i shows its subscription and enables its actions', async (id) => {
    await using page = await openCard(id)
    await page.user.click(await page.card.findByRole('button', { name: 'Activate subscription' }))
    await confirmActivation(page.user)
    await page.card.findByText('Active until')
    expect(page.facts()['Active until']).toMatch(/^[A-Z][a-z]{2} \d+, 20\d\d$/)
    expect(page.changes()).toEqual([`POST /devices/${id}/activate/`])
    expect(page.card.queryByRole('button', { name: 'Activate subscription' })).toBeNull()
    expect(disabled(page)).toEqual([])
    expect(page.state()).not.toContain('Not activated')
  })

  test('R-1.16 activating one tracker leaves the others not activated', async () => {
    await using page = await openCard(8)
    await page.user.click(await page.card.findByRole('button', { name: 'Activate subscription' }))
    await confirmActivation(page.user)
    await page.card.findByText('Active until')
    const list = within(screen.getByRole('region', { name: 'List of trackers' }))
    expect(list.getByRole('link', { name: /^New tracker/ })).toHaveTextContent('Not activated')
    expect(list.getByRole('link', { name: /^Spare tracker/ })).not.toHaveTextContent('Not activated')
  })

  test('R-8.21 a failed activation is reported, and the button stays enabled', async () => {
    await using page = await openCard(8)
    const button = await page.card.findByRole('button', { name: 'Activate subscription' })
    expect((await page.portal.call('alice@example.com', 'POST', '/devices/8/activate/', {})).status).toBe(204)
    await page.user.click(button)
    await confirmActivation(page.user)
    expect(await screen.findByText('Something went wrong, please try again')).toBeVisible()
    expect(page.card.getByRole('button', { name: 'Activate subscription' })).toBeEnabled()
    expect(window.location.pathname).toBe('/trackers/8')
  })

  test.each([
    [1, 'is active'],
    [9, 'has ended'],
    [15, 'is missing'],
  ])('tracker %i, whose subscription %s, offers no activation', async (id) => {
    await using page = await openCard(id)
    expect(page.card.queryByRole('button', { name: 'Activate subscription' })).toBeNull()
  })
})
