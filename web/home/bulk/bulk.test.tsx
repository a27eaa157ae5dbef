import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openAs } from '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'

async function open(path = '/trackers', as = ALICE) {
  const page = await openAs(as, path)
  await screen.findByRole('table', { name: /^Trackers/ })
  if (as === ALICE) await screen.findByRole('checkbox', { name: 'Choose all shown' })
  return {
    ...page,
    tick: (name: string) => screen.getByRole('checkbox', { name: `Choose ${name}` }),
    bar: () => within(screen.getByRole('region', { name: 'Chosen trackers' })),
    tagsOf: async () => {
      const { body } = await page.portal.call(ALICE, 'GET', '/devices/')
      return Object.fromEntries((body as { name: string; tag: { name: string } | null }[]).map(({ name, tag }) => [name, tag?.name]))
    },
  }
}

test('several trackers get a tag at once, and one undo gives each its own tag back', async () => {
  await using page = await open('/trackers?sort=name')
  const before = await page.tagsOf()
  await page.user.click(page.tick('Cessna'))
  await page.user.keyboard('{Shift>}')
  await page.user.click(page.tick('Family car'))
  await page.user.keyboard('{/Shift}')
  await screen.findByRole('region', { name: 'Chosen trackers' })
  const names = screen.getAllByRole('checkbox', { checked: true }).map((box) => box.getAttribute('aria-label')!.replace('Choose ', ''))
  expect(page.bar().getByRole('status')).toHaveTextContent(`Chosen: ${names.length}`)
  expect(names.length).toBeGreaterThan(3)
  await page.bar().findByRole('option', { name: 'Stolen' })
  await page.user.selectOptions(page.bar().getByRole('combobox', { name: 'Tag' }), 'Stolen')
  expect(await screen.findByText(/^Tagged Stolen: \d+$/)).toBeVisible()
  const after = await page.tagsOf()
  expect(
    Object.entries(after)
      .filter(([name, tag]) => tag !== before[name])
      .every(([name]) => names.includes(name)),
  ).toBe(true)
  expect(names.map((name) => after[name])).toEqual(names.map(() => 'Stolen'))
  await page.user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(async () => expect(await page.tagsOf()).toEqual(before))
})

test('j and k move between rows, x ticks, and Escape ticks none', async () => {
  await using page = await open('/trackers?sort=name')
  screen.getByRole('link', { name: 'Cessna' }).focus()
  await page.user.keyboard('xjx')
  expect(page.tick('Cessna')).toBeChecked()
  await screen.findByRole('region', { name: 'Chosen trackers' })
  expect(page.bar().getByRole('status')).toHaveTextContent('Chosen: 2')
  await page.user.keyboard('kx')
  expect(page.tick('Cessna')).not.toBeChecked()
  await page.user.keyboard('{Escape}')
  expect(screen.queryByRole('region', { name: 'Chosen trackers' })).toBeNull()
})

test('a tracker that a filter hides is no longer chosen', async () => {
  await using page = await open()
  await page.user.click(screen.getByRole('checkbox', { name: 'Choose all shown' }))
  await screen.findByRole('region', { name: 'Chosen trackers' })
  expect(page.bar().getByRole('status')).toHaveTextContent('Chosen: 18')
  await page.user.click(screen.getByRole('button', { name: /^Moving/ }))
  await waitFor(() => expect(page.bar().getByRole('status')).toHaveTextContent(/Chosen: [1-9]$/))
})

test('a user who may not change trackers chooses none', async () => {
  await using _page = await open('/trackers', 'support@example.com')
  expect(screen.queryByRole('checkbox', { name: /^Choose/ })).toBeNull()
})
