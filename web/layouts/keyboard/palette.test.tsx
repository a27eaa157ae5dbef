import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { renderAt } from '#web/test/render-at.tsx'

const field = () => screen.findByRole('combobox', { name: 'Search' })
const options = () =>
  within(screen.getByRole('listbox', { name: 'Search' }))
    .queryAllByRole('option')
    .map(({ textContent }) => textContent)
const chosen = () => within(screen.getByRole('listbox', { name: 'Search' })).getByRole('option', { selected: true }).textContent
const openPalette = async (as?: { portal: Awaited<ReturnType<typeof startPortal>>; as: string }) => {
  const view = await renderAt(as ? '/trackers' : '/nope', as ?? { token: 'abc' })
  await (as ? screen.findByText('Rex', { selector: 'a' }) : screen.findByRole('heading', { name: '404 error' }))
  await view.user.keyboard('{Control>}k{/Control}')
  await field()
  return view
}

describe('command palette', () => {
  test('the palette lists the pages with the first selected, and its field has the focus', async () => {
    await openPalette()
    expect(options()).toEqual([
      'Map',
      'Trackers',
      'Places',
      'Alerts',
      'Links',
      'Contacts',
      'Tags',
      'Plans',
      'Orders',
      'Invoices',
      'Payment methods',
      'Account settings',
      'Contact us',
      'Keyboard shortcuts',
      'Log out',
    ])
    expect(chosen()).toBe('Map')
    expect(await field()).toHaveFocus()
    expect((await field()).getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id)
  })

  test('the arrow keys wrap around', async () => {
    const { user } = await openPalette()
    await user.keyboard('{ArrowUp}')
    expect(chosen()).toBe('Log out')
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(chosen()).toBe('Trackers')
  })

  test('typing selects the first result again', async () => {
    const { user } = await openPalette()
    await user.keyboard('{ArrowDown}')
    await user.type(await field(), 'l')
    expect(chosen()).toBe(options()[0])
  })

  test('Escape closes the palette at once, so that it can be reopened immediately', async () => {
    const { user } = await openPalette()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('listbox', { name: 'Search' })).toBeNull()
    await user.keyboard('{Control>}k{/Control}{Escape}{Control>}k{/Control}tr')
    expect(await field()).toHaveValue('tr')
  })

  test('Enter opens the selected page and closes the palette', async () => {
    const { user } = await openPalette()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(window.location.pathname).toBe('/'))
    expect(screen.queryByRole('combobox', { name: 'Search' })).toBeNull()
  })

  test('Enter without results only closes the palette', async () => {
    const { user } = await openPalette()
    await user.type(await field(), 'zzzz')
    expect(screen.getByText('Nothing found')).toBeVisible()
    await user.keyboard('{ArrowDown}{ArrowUp}{Enter}')
    expect(window.location.pathname).toBe('/nope')
    expect(screen.queryByRole('combobox', { name: 'Search' })).toBeNull()
  })

  test('a click does the same as Enter', async () => {
    const { user } = await openPalette()
    await user.click(screen.getByRole('option', { name: 'Map' }))
    await waitFor(() => expect(window.location.pathname).toBe('/'))
  })

  test('a click on the backdrop closes the palette and a click inside does not', async () => {
    const { user } = await openPalette()
    await user.click(await field())
    expect(await field()).toBeVisible()
    await user.click(screen.getByRole('dialog', { name: 'Search' }))
    expect(screen.queryByRole('combobox', { name: 'Search' })).toBeNull()
  })

  test.each(['{Meta>}k{/Meta}', '{Control>}K{/Control}'])('%s opens the palette', async (keys) => {
    const { user } = await renderAt('/nope', { token: 'abc' })
    await screen.findByRole('heading', { name: '404 error' })
    await user.keyboard(keys)
    expect(await field()).toBeVisible()
  })

  test.each(['k', '{Control>}{Alt>}k{/Alt}{/Control}'])('%s does not open the palette', async (keys) => {
    const { user } = await renderAt('/nope', { token: 'abc' })
    await screen.findByRole('heading', { name: '404 error' })
    await user.keyboard(keys)
    expect(screen.queryByRole('combobox', { name: 'Search' })).toBeNull()
  })

  test('a signed-out visitor has no palette', async () => {
    const { user } = await renderAt('/nope')
    await screen.findByRole('heading', { name: '404 error' })
    await user.keyboard('{Control>}k{/Control}')
    expect(screen.queryByRole('combobox', { name: 'Search' })).toBeNull()
  })
})

describe('palette with trackers', () => {
  test('the palette finds and opens a tracker by name, ignoring accents and case', async () => {
    await using portal = await startPortal()
    const { user } = await openPalette({ portal, as: 'alice@example.com' })
    await user.type(await field(), 'rEx')
    expect(options()[0]).toContain('Rex')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(window.location.pathname).toMatch(/^\/trackers\/\d+$/))
  })

  test('the palette finds a state, and Enter shows the trackers in it', async () => {
    await using portal = await startPortal()
    const { user } = await openPalette({ portal, as: 'alice@example.com' })
    await user.type(await field(), 'lost')
    expect(options()[0]).toBe('LostTrackers')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Lost 3' })).toHaveAttribute('aria-pressed', 'true'))
    expect(window.location.search).toBe('?state=lost')
  })

  test('the palette finds trackers by tag and shows the tag', async () => {
    await using portal = await startPortal()
    const { body } = await portal.call('alice@example.com', 'GET', '/devices/?type=tracker')
    const tag = body.find((device: { tag: object | null }) => device.tag).tag.name
    const { user } = await openPalette({ portal, as: 'alice@example.com' })
    await user.type(await field(), tag)
    expect(options().length).toBeGreaterThan(0)
    expect(options().every((option) => option?.includes(tag))).toBe(true)
  })

  test('the palette never shows more than twenty results', async () => {
    await using portal = await startPortal()
    await openPalette({ portal, as: 'alice@example.com' })
    expect(options()).toHaveLength(20)
  })

  test('trackers leave the palette with the screen that added them', async () => {
    await using portal = await startPortal()
    const { user } = await openPalette({ portal, as: 'alice@example.com' })
    await user.type(await field(), 'log out{Enter}')
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
    window.history.pushState(null, '', '/nope')
    window.dispatchEvent(new PopStateEvent('popstate'))
    await screen.findByRole('heading', { name: '404 error' })
    expect(screen.queryByText('Rex')).toBeNull()
  })
})
