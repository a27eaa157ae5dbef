import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { renderAt } from '#web/test/render-at.tsx'
// This import also stubs the canvas for jsdom.
import '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const nav = () => screen.findByRole('navigation', { name: 'Main navigation' })
const marked = async () => [...(await nav()).querySelectorAll('[data-on]')].map(({ textContent }) => textContent)

test('every path highlights its section', async () => {
  await using portal = await startPortal()
  expect(
    await collectFailures(
      [
        ['/', ['Map']],
        ['/map', ['Map']],
        ['/trackers/1', ['Map']],
        ['/trackers/1/history', ['Map']],
        ['/trackers', ['Trackers']],
        ['/trackers/', ['Trackers']],
        ['/trackers/add', ['Trackers']],
        ['/conflicting-unlink', ['Trackers']],
        ['/operators/helium/', ['Trackers']],
        ['/orders/ORD-1001', ['Account']],
        ['/nope', []],
      ] as const,
      ([path]) => path,
      async ([path, sections]) => {
        cleanup()
        await renderAt(path, { portal, as: ALICE })
        expect(await marked()).toEqual(sections)
        const current = [...(await nav()).querySelectorAll('[aria-current]')].map(({ textContent }) => textContent)
        expect(current).toEqual(sections.filter((section) => section !== 'Account'))
      },
    ),
  ).toEqual([])
})

test.each([
  [ALICE, ['Map', 'Trackers', 'Places', 'Alerts', 'Links', 'Plans']],
  ['member@pro.example.com', ['Map', 'Trackers', 'Places', 'Alerts', 'Links']],
  ['admin@pro.example.com', ['Map', 'Trackers', 'Places', 'Alerts', 'Links', 'Plans', 'Team']],
])('the navigation rail of %s has the links %j', async (as, words) => {
  await using portal = await startPortal()
  await renderAt('/public_links', { portal, as })
  const list = within(await nav())
  await waitFor(() => expect(list.getAllByRole('link').flatMap((link) => (link.textContent ? [link.textContent] : []))).toEqual(words))
  expect(list.getByRole('link', { name: 'Links' })).toHaveAttribute('aria-current', 'page')
})

test('the highlight moves when another section is opened', async () => {
  await using portal = await startPortal()
  const { user } = await renderAt('/trackers', { portal, as: ALICE })
  await user.click(within(await nav()).getByRole('link', { name: 'Map' }))
  await waitFor(async () => expect(await marked()).toEqual(['Map']))
})

test('the first Tab reaches a link that skips the navigation', async () => {
  const { user } = await renderAt('/nope', { token: 'abc' })
  await nav()
  await user.tab()
  expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus()
  expect(screen.getByRole('main')).toHaveAttribute('id', 'content')
})

test('after changing the screen the focus is in the content', async () => {
  await using portal = await startPortal()
  const { user } = await renderAt('/nope', { portal, as: ALICE })
  await user.click(within(await nav()).getByRole('link', { name: 'Trackers' }))
  await screen.findByText('Rex', { selector: 'a' })
  expect(screen.getByRole('main')).toHaveFocus()
})

test('the first screen leaves the focus where the browser put it', async () => {
  await renderAt('/nope', { token: 'abc' })
  await nav()
  expect(document.body).toHaveFocus()
})
