import { act, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { queryClient } from '#web/lib/api/query.ts'
import { openCard } from '#web/test/card.tsx'
import { respondWith } from '#web/test/faults.ts'

const MISTY = 2
/** Rex, whose boost is already running in the seed data. */
const BOOSTED = 1
const openBoost = async () => {
  const page = await openCard(MISTY)
  return { ...page, boost: await page.dialog('Boost') }
}

describe('R-9.7 boost', () => {
  test.each([
    ['5 minutes', '9:05 AM'],
    ['15 minutes', '9:15 AM'],
    ['30 minutes', '9:30 AM'],
    ['60 minutes', '10:00 AM'],
  ])('a boost of %s runs until %s', async (duration, end) => {
    await using page = await openBoost()
    await page.user.click(page.boost.getByRole('radio', { name: duration }))
    await page.user.click(page.boost.getByRole('button', { name: 'Start boost' }))
    const said = await page.boost.findByRole('status')
    expect(said.textContent?.replace(/\s/g, ' ')).toBe(`Boost is on until ${end}.`)
    expect(page.changes()).toEqual([`POST /devices/${MISTY}/realtime_boost/`])
  })

  test('a boost lasts 15 minutes by default, and the dialog states its battery cost', async () => {
    await using page = await openBoost()
    expect(page.boost.getByRole('radio', { name: '15 minutes' })).toBeChecked()
    expect(page.boost.getAllByRole('radio')).toHaveLength(4)
    expect(page.boost.getByText('Misty will report its position every 30 seconds. This uses more battery.')).toBeVisible()
  })

  test('a boost can be ended early and started again', async () => {
    await using page = await openBoost()
    await page.user.click(page.boost.getByRole('button', { name: 'Start boost' }))
    await page.user.click(await page.boost.findByRole('button', { name: 'End boost' }))
    expect(await page.boost.findByRole('button', { name: 'Start boost' })).toBeEnabled()
    expect(page.changes()).toEqual([`POST /devices/${MISTY}/realtime_boost/`, `DELETE /devices/${MISTY}/realtime_boost/`])
  })

  test('the card tells how often a boosted tracker reports and how long that goes on, and ends it', async () => {
    await using page = await openCard(BOOSTED)
    const running = await page.card.findByText('Every 30 seconds · 1 h left')
    expect(page.facts()).toMatchObject({ Updates: 'every 30 seconds' })
    page.portal.clock.set({ at: new Date('2026-03-02T09:31:00Z') })
    await act(() => queryClient.invalidateQueries())
    await waitFor(() => expect(running).toHaveTextContent('Every 30 seconds · 29 min left'))
    await page.user.click(page.card.getByRole('button', { name: 'End boost' }))
    await waitFor(() => expect(running).not.toBeInTheDocument())
    expect(page.changes()).toEqual([`DELETE /devices/${BOOSTED}/realtime_boost/`])
    expect(page.facts()).not.toMatchObject({ Updates: 'every 30 seconds' })
  })

  test('a boost whose time has passed is over', async () => {
    await using page = await openBoost()
    await page.user.click(page.boost.getByRole('radio', { name: '5 minutes' }))
    await page.user.click(page.boost.getByRole('button', { name: 'Start boost' }))
    await page.boost.findByRole('status')
    page.portal.clock.set({ at: new Date('2026-03-02T09:06:00Z') })
    await page.user.click(page.boost.getByRole('button', { name: 'Close' }))
    const again = await page.dialog('Boost')
    expect(again.getByRole('button', { name: 'Start boost' })).toBeVisible()
  })

  test('R-8.30 a refused boost is reported and can be tried again', async () => {
    await using page = await openCard(MISTY, 'alice@example.com', { [`POST /devices/${MISTY}/realtime_boost/`]: respondWith(409) })
    const boost = await page.dialog('Boost')
    await page.user.click(boost.getByRole('radio', { name: '60 minutes' }))
    await page.user.click(boost.getByRole('button', { name: 'Start boost' }))
    expect(await boost.findByText('Something went wrong, please try again')).toBeVisible()
    expect(boost.getByRole('radio', { name: '60 minutes' })).toBeChecked()
    expect(boost.getByRole('button', { name: 'Start boost' })).toBeEnabled()
    expect(window.location.pathname).toBe(`/trackers/${MISTY}`)
  })
})
