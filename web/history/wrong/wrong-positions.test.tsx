import { waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { openAs } from '#web/test/open-as.tsx'
import { positionsApi } from '#web/trackers/trace/positions.api.ts'

vi.setConfig({ testTimeout: 90_000 })

const GRANDPA = 6

async function openList(features: string[] | undefined = [...FEATURES]) {
  const page = await openAs('alice@example.com', `/trackers/${GRANDPA}/history`, { features })
  const line = await page.screen.findByRole('button', { name: /^6 positions look wrong/ })
  await page.user.click(line)
  const list = within(await page.screen.findByRole('list', { name: 'Positions that look wrong' }))
  const changes = () => page.calls.filter(({ path }) => path.includes('/tracker_data/marks/'))
  return { ...page, line, list, changes }
}

test('positions that look wrong are not counted, and the list says why each looks wrong', async () => {
  await using page = await openList()
  expect(page.line).toHaveAttribute('aria-expanded', 'true')
  const rows = page.list.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(rows).toHaveLength(4)
  for (const [row, reason] of ['No real place', 'Jumped away', 'Too inaccurate', 'Too far away to be reached · 3 positions'].entries())
    expect(rows[row]).toContain(reason)
  const total = page.screen.getByText('Points').nextElementSibling
  const all = await page.portal.call('alice@example.com', 'GET', `/devices/${GRANDPA}/tracker_data/?not_before=2026-03-02T00:00:00Z`)
  expect(Number(total?.textContent)).toBe((all.body as { count: number }).count - 6)
  await page.user.click(page.line)
  expect(page.screen.queryByRole('list', { name: 'Positions that look wrong' })).toBeNull()
})

test('a position is restored with one click, and the toast undoes it', async () => {
  await using page = await openList()
  const points = () => Number(page.screen.getByText('Points').nextElementSibling?.textContent)
  const before = points()
  await page.user.click(page.list.getByRole('button', { name: /^Include it anyway: 7:53/ }))
  await page.screen.findByRole('button', { name: /^5 positions look wrong/ })
  expect(page.list.getByRole('button', { name: /^Leave out again: 7:53/ })).toBeInTheDocument()
  await waitFor(() => expect(points()).toBe(before + 1))
  await page.screen.findByText('Included in the history')
  await page.user.click(page.screen.getByRole('button', { name: 'Undo' }))
  await page.screen.findByText('Left out of the history again')
  expect(page.changes()).toHaveLength(2)
})

test('a restored position is listed after a reload, and can be excluded again', async () => {
  await using page = await openList()
  await page.user.click(page.list.getByRole('button', { name: /^Include it anyway: 7:53/ }))
  await page.screen.findByText('Included in the history')
  await queryClient.resetQueries({ queryKey: ['trace'] })
  const leaveOut = () => page.screen.getByRole('button', { name: /^Leave out again: 7:53/ })
  await waitFor(() => expect(leaveOut()).toBeEnabled())
  await page.user.click(leaveOut())
  expect(await page.screen.findByText('Left out of the history again')).toBeInTheDocument()
})

test('a failed change is reverted and reported', async () => {
  await using page = await openList()
  const change = vi.spyOn(positionsApi, 'changeMarks').mockRejectedValue(new ApiError(500, { code: 'server_error' }))
  await page.user.click(page.list.getByRole('button', { name: /^Include it anyway: 7:53/ }))
  await waitFor(() => expect(page.screen.getAllByRole('alert').some(({ textContent }) => textContent !== '')).toBe(true))
  expect(await page.screen.findByRole('button', { name: /^6 positions look wrong/ })).toBeInTheDocument()
  change.mockRestore()
})

test('if the backend cannot change marks, the positions are shown without a button to restore them', async () => {
  await using page = await openList(FEATURES.filter((name) => name !== 'marks'))
  expect(page.list.getAllByRole('listitem')).toHaveLength(4)
  expect(page.list.queryByRole('button', { name: /^Include it anyway/ })).toBeNull()
})
