import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { TAG_COLORS } from '#contracts/tags.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const ALICE = 'alice@example.com'

const open = async (as = ALICE) => {
  const page = await openAs(as, '/tags')
  await screen.findByRole('heading', { level: 1, name: /^Tags/ })
  return {
    ...page,
    rows: () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent),
    press: (name: string) => page.user.click(screen.getByRole('button', { name })),
    dialog: () => within(screen.getByRole('dialog')),
    name: () => screen.getByLabelText(/^Name/),
    kept: async () => (await page.portal.call(as, 'GET', '/tracker_tags/')).body,
    tagOf: async (tracker: string) => {
      const { body } = await page.portal.call(as, 'GET', '/devices/?type=tracker')
      return body.find(({ name }: { name: string }) => name === tracker).tag?.name
    },
    posts: () => page.calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
  }
}

describe('R-2.70 list of tags', () => {
  test('tags are listed by name with the number of their trackers', async () => {
    await using page = await open()
    expect(page.rows()[0]).toBe('EmptyNo tracker has this tag')
    expect(page.rows()[1]).toMatch(/^Pets\d+ trackers$/)
    expect(page.rows().at(2)).toBe('Stolen1 tracker')
    expect(page.rows()).toHaveLength(4)
  })

  test('the number of trackers links to these trackers', async () => {
    await using page = await open()
    await page.user.click(screen.getByRole('link', { name: '1 tracker' }))
    await screen.findByRole('table')
    expect(screen.getAllByRole('rowheader').map((row) => within(row).getByRole('link').textContent)).toEqual(['Stolen scooter'])
    expect(await screen.findByRole('button', { name: 'Tag Stolen' })).toBeVisible()
  })

  test('a tag is added in one of the ten palette colours', async () => {
    await using page = await open()
    await page.press('Add tag')
    await page.user.type(page.name(), 'Boats')
    expect(page.dialog().getAllByRole('radio')).toHaveLength(10)
    await page.user.click(page.dialog().getByRole('radio', { name: 'Green' }))
    await page.press('Save')
    await waitFor(() => expect(page.rows()[0]).toBe('BoatsNo tracker has this tag'))
    expect((await page.kept())[0]).toMatchObject({ name: 'Boats', color: TAG_COLORS[2] })
  })

  test('a tag can be changed to a custom colour', async () => {
    await using page = await open()
    await page.press('Edit: Empty')
    expect(page.name()).toHaveValue('Empty')
    await page.user.clear(page.name())
    await page.user.type(page.name(), 'Zebras')
    fireEvent.change(screen.getByLabelText('Another colour'), { target: { value: '#123456' } })
    await page.press('Save')
    await waitFor(() => expect(page.rows().at(-1)).toBe('ZebrasNo tracker has this tag'))
    expect((await page.kept()).at(-1)).toMatchObject({ name: 'Zebras', color: '#123456' })
  })

  test('an empty list explains tags and offers to add the first', async () => {
    await using page = await open('george@example.com')
    expect(await screen.findByText('No tag yet')).toBeVisible()
    await page.press('Add tag')
    await page.user.type(page.name(), 'Mine')
    await page.press('Save')
    await waitFor(() => expect(page.rows()).toHaveLength(1))
  })
})

describe('R-3.4 trackers of a tag', () => {
  test('the trackers of a tag are chosen from all trackers, and a tracker loses its previous tag', async () => {
    await using page = await open()
    await page.press('Choose trackers: Empty')
    const boxes = page.dialog().getAllByRole('checkbox')
    expect(boxes).toHaveLength(18)
    for (const box of boxes) expect(box).not.toBeChecked()
    await page.user.click(page.dialog().getByRole('checkbox', { name: /^Rex/ }))
    await page.press('Save')
    await waitFor(() => expect(page.rows()[0]).toBe('Empty1 tracker'))
    expect(await page.tagOf('Rex')).toBe('Empty')
    expect(page.posts()).toHaveLength(1)
  })

  test('a tracker that is deselected has no tag', async () => {
    await using page = await open()
    await page.press('Choose trackers: Stolen')
    await page.user.click(page.dialog().getByRole('checkbox', { name: 'Stolen scooter' }))
    await page.press('Save')
    await waitFor(() => expect(page.rows()[2]).toBe('StolenNo tracker has this tag'))
    expect(await page.tagOf('Stolen scooter')).toBeUndefined()
  })
})

describe('rejected tags', () => {
  test('a tag without a name is rejected without a request', async () => {
    await using page = await open()
    await page.press('Add tag')
    await page.press('Save')
    expect(page.name()).toHaveFocus()
    expect(page.posts()).toEqual([])
  })

  test('R-3.40 the name of another tag is rejected at its field whatever its case', async () => {
    await using page = await open()
    await page.press('Add tag')
    await page.user.type(page.name(), 'pETS')
    await page.press('Save')
    await waitFor(() => expect(page.name()).toHaveAccessibleDescription('You already have a tag with this name'))
    expect(page.name()).toHaveValue('pETS')
  })

  test('a tag that was deleted meanwhile is reported as deleted', async () => {
    await using page = await open()
    const [empty] = await page.kept()
    await page.press('Edit: Empty')
    await page.portal.call(ALICE, 'DELETE', `/tracker_tags/${empty.id}/`)
    await page.press('Save')
    expect(await screen.findByText('This tag no longer exists. Reload the page.')).toBeVisible()
  })
})

test('a tag is deleted after a confirmation, and its trackers stay', async () => {
  await using page = await open()
  await page.press('Delete: Stolen')
  expect(page.dialog().getByText('1 tracker loses the tag; nothing else about it changes.')).toBeVisible()
  await page.user.click(page.dialog().getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Tag deleted')).toBeVisible()
  await waitFor(() => expect(page.rows()).toHaveLength(3))
  expect(await page.tagOf('Stolen scooter')).toBeUndefined()
})

test('support can read the tags but gets no buttons that change them', async () => {
  await using page = await open('support@example.com')
  expect(await screen.findByText('Your role lets you view everything but change nothing.')).toBeVisible()
  expect(page.rows().length).toBeGreaterThan(3)
  expect(screen.queryByRole('button', { name: /^(Add tag|Choose|Edit|Delete)/ })).toBeNull()
})

test('a list that cannot be loaded shows an error and can be retried', async () => {
  await using portal = await startSyncedPortal()
  const server = withFaults(portal, { '/tracker_tags/': respondWith(500) })
  const { user } = await renderAt('/tags', { portal: server, as: ALICE })
  expect(await screen.findByText('We could not load this.')).toBeVisible()
  server.mend()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Pets')).toBeVisible()
})
