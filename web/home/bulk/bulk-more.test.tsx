import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { saveFile } from '#web/lib/api/download.ts'
import { openAs } from '#web/test/open-as.tsx'

vi.mock('#web/lib/api/download.ts', async (original) => ({ ...(await original()), saveFile: vi.fn() }))

const ALICE = 'alice@example.com'

async function openTicked(names: readonly string[]) {
  const page = await openAs(ALICE, '/trackers?sort=name')
  await screen.findByRole('checkbox', { name: 'Choose all shown' })
  for (const name of names) await page.user.click(screen.getByRole('checkbox', { name: `Choose ${name}` }))
  const bar = within(await screen.findByRole('region', { name: 'Chosen trackers' }))
  const modes = async () => {
    const { body } = await page.portal.call(ALICE, 'GET', '/devices/')
    const list = body as { name: string; tracker_config: { mode: number; pending_mode: number | null } }[]
    return Object.fromEntries(list.map(({ name, tracker_config: { mode, pending_mode } }) => [name, pending_mode ?? mode]))
  }
  return { ...page, bar, modes }
}

test('a mode for several trackers says before which change and why others do not, and can be taken back', async () => {
  await using page = await openTicked(['Family car', 'Misty', 'Old tracker'])
  const before = await page.modes()
  await page.user.click(page.bar.getByRole('button', { name: 'Mode' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Mode' }))
  await page.user.click(dialog.getByRole('radio', { name: /^Intense/ }))
  expect(dialog.getByText(/^Will change: \d/).parentElement).toHaveTextContent('Misty')
  expect(dialog.getByText(/^Without an active subscription: Old tracker$/)).toBeVisible()
  await page.user.click(dialog.getByRole('button', { name: 'Use this mode' }))
  expect(await dialog.findByText(/^Change requested: \d/)).toBeVisible()
  expect((await page.modes()).Misty).toBe(22)
  await page.user.click(dialog.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('The change was taken back.')).toBeVisible()
  expect(await page.modes()).toEqual(before)
})

test('the positions of several trackers are exported in one file, and those without any are named', async () => {
  await using page = await openTicked(['Misty', 'Old tracker', 'Rex'])
  await page.user.click(page.bar.getByRole('button', { name: 'Export' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Export positions' }))
  await page.user.click(await dialog.findByRole('radio', { name: 'Last 7 days' }))
  await page.user.click(dialog.getByRole('button', { name: 'Export' }))
  expect(await dialog.findByText(/^The file has the positions of [12] trackers\.$/, {}, { timeout: 20_000 })).toBeVisible()
  expect(dialog.getByText(/^No positions in this period: .*Old tracker/)).toBeVisible()
  const [bytes, name] = vi.mocked(saveFile).mock.calls[0]!
  expect(name).toMatch(/^Trackers_2026-\d\d-\d\d_2026-\d\d-\d\d\.csv$/)
  expect(new TextDecoder().decode(bytes)).toMatch(/"Rex",2026-/)
})

test('the bar leads to an alert for all of them and to their plans', async () => {
  await using page = await openTicked(['Misty', 'Rex'])
  expect(page.bar.getByRole('link', { name: 'Renew' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^\/subscriptionSelector\?devices=(1,2|2,1)$/),
  )
  await page.user.click(page.bar.getByRole('link', { name: 'Alert' }))
  await screen.findByRole('heading', { name: 'New alert' })
  expect(await screen.findByRole('button', { name: /Misty.*Rex|Rex.*Misty/ })).toBeVisible()
})

test('b, l and s on a row open the dialogs of its tracker, and a pointed row lifts its pin', async () => {
  await using page = await openAs(ALICE, '/')
  const row = await screen.findByRole('link', { name: /^Misty/ })
  await page.user.hover(row)
  const isLifted = () => screen.queryByRole('button', { name: /^Misty, / })?.hasAttribute('data-lifted') ?? false
  await waitFor(() => expect(isLifted()).toBe(true))
  await page.user.unhover(row)
  await waitFor(() => expect(isLifted()).toBe(false))
  row.focus()
  await page.user.keyboard('x')
  expect(await screen.findByRole('region', { name: 'Chosen trackers' })).toBeVisible()
  await page.user.keyboard('s')
  expect(await screen.findByRole('dialog', { name: /Misty/ })).toBeVisible()
})
