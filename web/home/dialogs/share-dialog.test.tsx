import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { openCard } from '#web/test/card.tsx'

const [MISTY, BIKE, REX, OLD] = [2, 3, 1, 9]
const FULL = 'You cannot create more than 5 links per Tracker'
const ALICE = 'alice@example.com'
type Stored = { uuid: string; label: string; start_date: string | null; end_date: string; expiry: string | null; permanent: boolean }

async function openShare(id: number) {
  const page = await openCard(id)
  const dialog = await page.dialog('Share')
  const links = `/devices/${id}/public_share_link/`
  return {
    ...page,
    dialog,
    stored: async () => (await page.portal.call(ALICE, 'GET', links)).body as Stored[],
    add: (label: string) => page.portal.call(ALICE, 'POST', links, { label, permanent: true }),
    async create(label: string) {
      const name = await dialog.findByRole('textbox', { name: /^Name of the link/ })
      await page.user.clear(name)
      await page.user.type(name, label)
      await page.user.click(dialog.getByRole('button', { name: 'Create link' }))
    },
  }
}

describe('R-9.2 new link', () => {
  test.each([
    ['1 hour', '2026-03-02T10:00:00.000Z'],
    ['24 hours', '2026-03-03T09:00:00.000Z'],
    ['7 days', '2026-03-09T09:00:00.000Z'],
    ['30 days', '2026-04-01T09:00:00.000Z'],
  ])('a link of %s ends at %s', async (duration, end) => {
    await using page = await openShare(MISTY)
    await page.user.click(await page.dialog.findByRole('radio', { name: duration }))
    await page.create('For the vet')
    expect(await page.dialog.findByRole('link', { name: 'For the vet' })).toBeVisible()
    const [link] = await page.stored()
    expect(new Date(link!.end_date).toISOString()).toBe(end)
    expect(link).toMatchObject({ permanent: false, expiry: link!.end_date })
  })

  test('a new link lasts 24 hours by default', async () => {
    await using page = await openShare(MISTY)
    expect(await page.dialog.findByRole('radio', { name: '24 hours' })).toBeChecked()
    expect(page.dialog.getAllByRole('radio', { name: /hour|days|date|Permanent/ })).toHaveLength(6)
  })

  test('R-3.56 a link may end on a chosen date, at the end of that day', async () => {
    await using page = await openShare(MISTY)
    await page.user.click(await page.dialog.findByRole('radio', { name: 'On a date' }))
    fireEvent.change(page.dialog.getByLabelText(/^End date/), { target: { value: '2026-03-05' } })
    await page.create('Until Thursday')
    await page.dialog.findByRole('link', { name: 'Until Thursday' })
    expect(new Date((await page.stored())[0]!.end_date)).toEqual(new Date('2026-03-05T23:59:59'))
  })

  test('R-3.56 a past end date is refused without a request, and the form keeps its values', async () => {
    await using page = await openShare(MISTY)
    await page.user.click(await page.dialog.findByRole('radio', { name: 'On a date' }))
    fireEvent.change(page.dialog.getByLabelText(/^End date/), { target: { value: '2026-03-01' } })
    await page.create('Too late')
    await waitFor(() => expect(page.dialog.getByRole('alert')).toHaveTextContent('Choose a date in the future'))
    expect(page.dialog.getByRole('textbox', { name: /^Name of the link/ })).toHaveValue('Too late')
    expect(page.changes()).toEqual([])
  })

  test('R-9.3 R-3.58 permanent is offered with the durations, and such a link has no end', async () => {
    await using page = await openShare(MISTY)
    await page.user.click(await page.dialog.findByRole('radio', { name: 'On a date' }))
    await page.user.click(page.dialog.getByRole('radio', { name: 'Permanent' }))
    expect(page.dialog.queryByLabelText(/^End date/)).toBeNull()
    await page.create('Family')
    const row = (await page.dialog.findByRole('link', { name: 'Family' })).closest('li')!
    expect(row).toHaveTextContent('Permanent')
    expect((await page.stored())[0]).toMatchObject({ permanent: true, expiry: null })
  })

  test("R-3.60 by default a link shows the tracker's position, even at rest, and nothing else", async () => {
    await using page = await openShare(MISTY)
    expect(await page.dialog.findByRole('radio', { name: 'Only now' })).toBeChecked()
    await page.create('Just there')
    await page.dialog.findByRole('link', { name: 'Just there' })
    const [link] = await page.stored()
    const { body } = await page.portal.call(null, 'GET', `/tracker_public_share_links/${link!.uuid}/`)
    expect(body).toMatchObject({ last_point: true, last_position: { lat: expect.any(Number) } })
    expect(body.positions).toHaveLength(1)
  })

  test("R-3.55 a link may show today's track, which begins at the last position of a tracker at rest", async () => {
    await using page = await openShare(OLD)
    // Its subscription is over, so that a link would show nothing of it.
    page.portal.world.graceDays = null
    await page.user.click(await page.dialog.findByRole('radio', { name: 'Today' }))
    await page.create('Since today')
    await page.dialog.findByRole('link', { name: 'Since today' })
    const [link] = await page.stored()
    const { body } = await page.portal.call(null, 'GET', `/tracker_public_share_links/${link!.uuid}/`)
    expect(body).toMatchObject({ last_point: false, start_date: body.last_position.datetime })
  })

  test('R-9.3 R-3.59 a link that shows everything has no start', async () => {
    await using page = await openShare(MISTY)
    await page.user.click(await page.dialog.findByRole('radio', { name: 'Everything' }))
    expect(page.dialog.getByText('Every position this tracker has ever reported.')).toBeVisible()
    await page.create('All of it')
    await page.dialog.findByRole('link', { name: 'All of it' })
    expect((await page.stored())[0]).toMatchObject({ start_date: null, last_point: false })
  })

  test('R-3.54 the suggested name is the tracker and the duration until the user types another', async () => {
    await using page = await openShare(MISTY)
    const name = await page.dialog.findByRole('textbox', { name: /^Name of the link/ })
    expect(name).toHaveValue('Misty, 24 hours')
    await page.user.click(page.dialog.getByRole('radio', { name: '7 days' }))
    expect(name).toHaveValue('Misty, 7 days')
    await page.user.type(name, '!')
    await page.user.click(page.dialog.getByRole('radio', { name: 'Permanent' }))
    expect(name).toHaveValue('Misty, 7 days!')
  })

  test('R-5.6 R-3.54 a link without a name sends no request, and the name field gets the focus', async () => {
    await using page = await openShare(MISTY)
    await page.user.clear(await page.dialog.findByRole('textbox', { name: /^Name of the link/ }))
    await page.user.click(page.dialog.getByRole('button', { name: 'Create link' }))
    await waitFor(() => expect(page.dialog.getByRole('alert')).toHaveTextContent('Please fill in all fields'))
    expect(page.dialog.getByRole('textbox', { name: /^Name of the link/ })).toHaveFocus()
    expect(page.changes()).toEqual([])
    await page.user.keyboard('F')
    expect(page.dialog.getByRole('alert')).toBeEmptyDOMElement()
  })
})

describe('created link', () => {
  const openMade = async () => {
    const page = await openShare(MISTY)
    await page.create('For the vet')
    return { ...page, made: within(await page.dialog.findByRole('region', { name: 'Link created' })) }
  }

  test('a created link is shown with its QR code and a focused button that copies it', async () => {
    await using page = await openMade()
    expect(page.made.getByRole('img', { name: 'QR code of the link For the vet' })).toBeVisible()
    const copy = page.made.getByRole('button', { name: 'Copy link' })
    expect(copy).toHaveFocus()
    await page.user.click(copy)
    expect(await page.made.findByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe(page.dialog.getByRole('link', { name: 'For the vet' }).getAttribute('href'))
  })

  test('a created link is sent by the share sheet of the system, and without one there is no button for it', async () => {
    await using page = await openMade()
    expect(page.made.queryByRole('button', { name: 'Send…' })).toBeNull()
    const share = vi.fn(() => Promise.reject(new DOMException('closed', 'AbortError')))
    Object.defineProperty(navigator, 'share', { value: share, configurable: true })
    await page.user.click(page.dialog.getByRole('button', { name: 'New link' }))
    await page.user.click(await page.dialog.findByRole('button', { name: 'Create link' }))
    await page.user.click(await page.dialog.findByRole('button', { name: 'Send…' }))
    Reflect.deleteProperty(navigator, 'share')
    expect(share).toHaveBeenCalledWith({ title: 'Misty, 24 hours', url: expect.stringContaining('/pub/trackers?token=') })
  })

  test('deleting a created link shows an empty form', async () => {
    await using page = await openMade()
    await page.user.click(page.dialog.getByRole('button', { name: 'Delete link: For the vet' }))
    await page.user.click(page.dialog.getByRole('button', { name: 'Delete' }))
    expect(await page.dialog.findByRole('textbox', { name: /^Name of the link/ })).toHaveValue('Misty, 24 hours')
    expect(page.dialog.queryByRole('region', { name: 'Link created' })).toBeNull()
  })
})

describe('R-8.23 R-5.9 link limit', () => {
  test('with five links a message replaces the form', async () => {
    await using page = await openShare(BIKE)
    expect(await page.dialog.findByText(FULL)).toBeVisible()
    expect(page.dialog.queryByRole('textbox')).toBeNull()
    expect(page.dialog.queryByRole('button', { name: 'Create link' })).toBeNull()
  })

  test('expired links count, have no button that copies them, and are deleted in one tap', async () => {
    await using page = await openShare(BIKE)
    expect(await page.dialog.findByRole('button', { name: 'Copy link: Family' })).toBeVisible()
    expect(page.dialog.queryByRole('button', { name: 'Copy link: Weekend tour' })).toBeNull()
    await page.user.click(page.dialog.getByRole('button', { name: 'Delete expired links' }))
    expect(await page.dialog.findByRole('button', { name: 'Create link' })).toBeVisible()
    expect((await page.stored()).map(({ label }) => label)).not.toContain('Weekend tour')
    expect(await page.stored()).toHaveLength(4)
  })

  test('R-7.7 a link refused because a fifth was created elsewhere shows the same message', async () => {
    await using page = await openShare(MISTY)
    await page.dialog.findByRole('button', { name: 'Create link' })
    for (const label of ['a', 'b', 'c', 'd', 'e']) expect((await page.add(label)).status).toBe(201)
    await page.create('Sixth')
    await waitFor(() => expect(page.dialog.getByText(FULL)).toBeVisible())
    expect((await page.stored()).map(({ label }) => label)).not.toContain('Sixth')
    expect(await page.stored()).toHaveLength(5)
  })
})

describe('existing links', () => {
  test('R-2.56 R-3.61 links lead to the public page and are listed newest first', async () => {
    await using page = await openShare(BIKE)
    const list = await page.dialog.findByRole('list', { name: 'Links of this tracker' })
    const names = within(list)
      .getAllByRole('link')
      .map((link) => link.textContent)
    expect(names).toEqual((await page.stored()).map(({ label }) => label))
    for (const link of within(list).getAllByRole('link'))
      expect(link).toHaveAttribute('href', expect.stringMatching(/^http:\/\/localhost(:\d+)?\/pub\/trackers\?token=5eed0000-[\da-f-]+$/))
  })

  test.each([
    ['For the cycling club', /^Until Mar 9, 2026/],
    ['Weekend tour', /^Expired$/],
    ['Family', /^Permanent$/],
    ['Where is my bike', /^Until Dec 31, 2100/],
    ['For the grandchildren', /^Permanent$/],
  ])('R-9.4 the link %j shows when it ends', async (name, words) => {
    await using page = await openShare(BIKE)
    const row = (await page.dialog.findByRole('link', { name })).closest('li')!
    expect(row.querySelector('small')?.textContent).toMatch(words)
  })

  test("copying puts the link's address on the clipboard and confirms it", async () => {
    await using page = await openShare(REX)
    await page.user.click(await page.dialog.findByRole('button', { name: 'Copy link: Dog sitter' }))
    expect(await page.dialog.findByText('Copied')).toHaveAttribute('role', 'status')
    expect(await navigator.clipboard.readText()).toBe(page.dialog.getByRole('link', { name: 'Dog sitter' }).getAttribute('href'))
  })

  test('R-7.8 deleting asks for confirmation, and the public page then stops working', async () => {
    await using page = await openShare(REX)
    const [{ uuid }] = (await page.stored()) as [Stored]
    await page.user.click(await page.dialog.findByRole('button', { name: 'Delete link: Dog sitter' }))
    await page.user.click(page.dialog.getByRole('button', { name: 'Cancel' }))
    expect(page.changes()).toEqual([])
    await page.user.click(page.dialog.getByRole('button', { name: 'Delete link: Dog sitter' }))
    await page.user.click(page.dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(page.dialog.queryByRole('link', { name: 'Dog sitter' })).toBeNull())
    expect(await screen.findByText('Link deleted')).toBeVisible()
    expect(page.changes()).toEqual([`DELETE /tracker_public_share_links/${uuid}/`])
    expect((await page.portal.call(null, 'GET', `/tracker_public_share_links/${uuid}/`)).status).toBe(404)
  })

  test('deleting a link that is already gone removes it from the list', async () => {
    await using page = await openShare(REX)
    const [{ uuid }] = (await page.stored()) as [Stored]
    const button = await page.dialog.findByRole('button', { name: 'Delete link: Dog sitter' })
    await page.portal.call(ALICE, 'DELETE', `/tracker_public_share_links/${uuid}/`)
    await page.user.click(button)
    await page.user.click(page.dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(page.dialog.queryByRole('link', { name: 'Dog sitter' })).toBeNull())
    expect(window.location.pathname).toBe(`/trackers/${REX}`)
  })

  test('a tracker without links shows only the form', async () => {
    await using page = await openShare(MISTY)
    await page.dialog.findByRole('button', { name: 'Create link' })
    expect(page.dialog.queryByRole('list')).toBeNull()
  })
})

test('the dialog closes by its button and by a click on the backdrop', async () => {
  await using page = await openShare(REX)
  // A toast about an earlier link may still be shown, with a Close button of its own.
  const [close] = page.dialog.getAllByRole('button', { name: 'Close' })
  await page.user.click(close!)
  expect(screen.queryByRole('dialog')).toBeNull()
  await page.user.click(page.card.getByRole('button', { name: 'Share' }))
  fireEvent.mouseDown(screen.getByRole('dialog'))
  expect(screen.queryByRole('dialog')).toBeNull()
})
