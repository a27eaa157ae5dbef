import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { openAs } from '#web/test/open-as.tsx'

const [ALICE, SUPPORT] = ['alice@example.com', 'support@example.com']
const [REX, MISTY] = [1, 2]
type Page = Awaited<ReturnType<typeof openAs>>
type Link = { uuid: string; label: string; devices?: { name: string }[] }

const dialog = () => within(screen.getByRole('dialog'))
const press = (page: Page, name: string | RegExp, within_ = screen as Pick<typeof screen, 'getByRole'>) =>
  page.user.click(within_.getByRole('button', { name }))
const readLinks = async (page: Page): Promise<Link[]> => (await page.portal.call(ALICE, 'GET', '/tracker_public_share_links/')).body
const namesIn = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
const share = (page: Page, devices: number[], label = 'For the sitter') =>
  page.portal.call(ALICE, 'POST', '/tracker_public_share_links/', { devices, label, permanent: true, from_beginning: true })

describe('one link for several trackers', () => {
  test('the trackers of a tag are shared with one link', async () => {
    await using page = await openAs(ALICE, '/tags', { features: [...FEATURES] })
    await page.user.click(await screen.findByRole('button', { name: 'Share: Pets' }))
    expect(await screen.findByRole('dialog', { name: 'Share Pets' })).toBeVisible()
    const chosen = await dialog().findByRole('region', { name: 'Trackers' })
    expect(namesIn(chosen).sort()).toEqual(['Misty', 'Puppy', 'Rex', 'Runaway cat'])
    expect(dialog().getByLabelText(/^Name of the link/)).toHaveValue('Pets, 24 hours')
    expect(dialog().getByText(/^Where the trackers are at the moment/)).toBeVisible()
    await press(page, 'Create link', dialog())
    expect(await dialog().findByRole('img', { name: 'QR code of the link Pets, 24 hours' })).toBeVisible()
    const [link] = await readLinks(page)
    expect(link?.devices?.map(({ name }) => name)).toEqual(expect.arrayContaining(['Misty', 'Puppy', 'Rex', 'Runaway cat']))
    expect(screen.queryByRole('button', { name: 'Share: Empty' })).toBeNull()
  })

  test('trackers in the list are chosen first, and can be changed', async () => {
    await using page = await openAs(ALICE, '/trackers', { features: [...FEATURES] })
    await page.user.click(await screen.findByRole('button', { name: 'Share' }))
    expect(await screen.findByRole('button', { name: 'Continue' })).toBeDisabled()
    for (const name of ['Rex', 'Misty']) await page.user.click(dialog().getByRole('checkbox', { name: new RegExp(`^${name}`) }))
    await press(page, 'Continue', dialog())
    expect(namesIn(dialog().getByRole('region', { name: 'Trackers' })).sort()).toEqual(['Misty', 'Rex'])
    await press(page, 'Choose trackers', dialog())
    await page.user.click(dialog().getByRole('checkbox', { name: /^Puppy/ }))
    await press(page, 'Continue', dialog())
    expect(dialog().getByLabelText(/^Name of the link/)).toHaveValue('3 trackers, 24 hours')
    await press(page, 'Create link', dialog())
    await dialog().findByRole('button', { name: 'Copy link' })
    expect((await readLinks(page))[0]?.devices).toHaveLength(3)
  })

  test('a search in the list of trackers chooses its results', async () => {
    await using page = await openAs(ALICE, '/trackers?tag=1', { features: [...FEATURES] })
    await page.user.click(await screen.findByRole('button', { name: 'Share' }))
    expect(namesIn(await dialog().findByRole('region', { name: 'Trackers' }))).toHaveLength(4)
  })

  test('trackers that already have five links are listed', async () => {
    await using page = await openAs(ALICE, '/public_links', { features: [...FEATURES] })
    await page.user.click((await screen.findAllByRole('button', { name: 'New link' }))[0]!)
    await page.user.click(await dialog().findByRole('button', { name: 'Share several trackers' }))
    for (const name of ['Rex', 'City bike']) await page.user.click(await dialog().findByRole('checkbox', { name: new RegExp(`^${name}`) }))
    await press(page, 'Continue', dialog())
    await press(page, 'Create link', dialog())
    expect(await dialog().findByText('A tracker can have 5 links. Already reached by: City bike')).toBeVisible()
  })

  test('a backend without links to several trackers offers none', async () => {
    const features = FEATURES.filter((feature) => feature !== 'groupLinks')
    await using page = await openAs(ALICE, '/tags', { features })
    await screen.findByText('Pets', { selector: 'b, strong, span' })
    expect(screen.queryByRole('button', { name: 'Share: Pets' })).toBeNull()
    expect(page.calls.length).toBeGreaterThan(0)
  })

  test('support cannot share trackers', async () => {
    await using _page = await openAs(SUPPORT, '/trackers', { features: [...FEATURES] })
    await screen.findByText('Rex', { selector: 'a' })
    expect(screen.queryByRole('button', { name: 'Share' })).toBeNull()
  })
})

describe('list of links', () => {
  test('a link to several trackers is listed once, with their number and names, and counts for each', async () => {
    await using page = await openAs(ALICE, '/tags', { features: [...FEATURES] })
    await share(page, [REX, MISTY])
    page.unmount()
    await using list = await openList(page, '/public_links')
    const group = within(await screen.findByRole('region', { name: 'Links to several trackers' }))
    expect(group.getByRole('listitem')).toHaveTextContent('For the sitter2 trackers: Rex, Misty')
    expect(within(screen.getByRole('region', { name: 'Rex' })).getByText('2 of 5 links')).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Misty' })).toBeNull()
    await list.user.click(group.getByRole('button', { name: 'Delete link: For the sitter' }))
    expect(dialog().getByText(/no longer see these trackers: Rex, Misty\./)).toBeVisible()
    await list.user.click(dialog().getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Links to several trackers' })).toBeNull())
  })

  test('the links of a tracker show which of them include other trackers', async () => {
    await using page = await openAs(ALICE, '/tags', { features: [...FEATURES] })
    await share(page, [REX, MISTY])
    page.unmount()
    await using _card = await openList(page, `/trackers/${MISTY}?sheet=share`)
    const links = within(await screen.findByRole('list', { name: 'Links of this tracker' }))
    expect(links.getByRole('listitem')).toHaveTextContent('For the sitter2 trackers · Permanent')
  })

  test('?id= also shows the links in which the tracker is one of several', async () => {
    await using page = await openAs(ALICE, '/tags', { features: [...FEATURES] })
    await share(page, [REX, MISTY])
    page.unmount()
    await using _list = await openList(page, `/public_links?id=${MISTY}`)
    expect(await screen.findByRole('button', { name: /^Only links of Misty/ })).toBeVisible()
    const items = await screen.findAllByRole('listitem')
    expect(items.filter(({ textContent }) => textContent?.includes('For the sitter'))).toHaveLength(1)
    expect(screen.queryByRole('region', { name: 'Rex' })).toBeNull()
  })
})

/** Opens another address of the same server. */
async function openList({ portal }: Page, path: string) {
  const { renderAt } = await import('#web/test/render-at.tsx')
  const view = await renderAt(path, { portal, as: ALICE, config: { features: [...FEATURES] } })
  return {
    ...view,
    async [Symbol.asyncDispose]() {
      view.unmount()
    },
  }
}
