import { waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { openAs } from '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'

beforeEach(() => {
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget() as MediaQueryList, { media, matches: media === '(min-width: 1200px)' }),
  )
})
afterEach(() => vi.restoreAllMocks())

const open = async (path: string, as = ALICE) => {
  const page = await openAs(as, path, { features: [...FEATURES] })
  const detail = (name: string) => page.screen.findByRole('region', { name })
  return {
    ...page,
    detail,
    inDetail: async (name: string) => within(await detail(name)),
    async choose(name: string) {
      await page.user.click(await page.screen.findByRole('link', { name }))
      await waitFor(() => expect(page.screen.getByRole('link', { name })).toHaveAttribute('aria-current', 'true'))
    },
  }
}

test('beside the contacts stands the one in the address, or the first', async () => {
  await using page = await open('/contacts')
  expect((await page.inDetail('Edit contact')).getByRole('textbox', { name: /^Name/ })).toHaveValue('Bob')
  await page.choose('Carol')
  expect((await page.inDetail('Edit contact')).getByRole('textbox', { name: /^Name/ })).toHaveValue('Carol')
  expect(page.screen.getByRole('heading', { name: 'Edit contact' })).toHaveFocus()
  expect(location.search).toMatch(/^\?entry=\d+$/)
})

test('a contact is changed beside the list, and stays there', async () => {
  await using page = await open('/contacts')
  const detail = await page.inDetail('Edit contact')
  expect(detail.queryByRole('button', { name: 'Cancel' })).toBeNull()
  const name = detail.getByRole('textbox', { name: /^Name/ })
  await page.user.clear(name)
  await page.user.type(name, 'Bobby')
  await page.user.click(detail.getByRole('button', { name: 'Save' }))
  expect(await page.screen.findByText('Saved')).toBeVisible()
  expect(await page.screen.findByRole('link', { name: 'Bobby' })).toHaveAttribute('aria-current', 'true')
})

test('cancel restores what was there before', async () => {
  await using page = await open('/contacts')
  const detail = await page.inDetail('Edit contact')
  await page.user.type(detail.getByRole('textbox', { name: /^Name/ }), '!')
  await page.user.click(detail.getByRole('button', { name: 'Cancel' }))
  expect((await page.inDetail('Edit contact')).getByRole('textbox', { name: /^Name/ })).toHaveValue('Bob')
})

test('choosing another entry asks before typed text is lost', async () => {
  await using page = await open('/contacts')
  await page.user.type((await page.inDetail('Edit contact')).getByRole('textbox', { name: /^Name/ }), '!')
  await page.user.click(page.screen.getByRole('link', { name: 'Carol' }))
  await page.user.click(await page.screen.findByRole('button', { name: 'Discard changes' }))
  await waitFor(() => expect(page.screen.getByRole('textbox', { name: /^Name/ })).toHaveValue('Carol'))
})

test('a public link shows its QR code and address beside the list', async () => {
  await using page = await open('/public_links')
  await page.choose('Family')
  const detail = await page.inDetail('Family')
  expect(detail.getByRole('img', { name: 'QR code of the link Family' })).toBeVisible()
  expect(detail.getByRole('link', { name: 'See what visitors see' })).toHaveAttribute(
    'href',
    expect.stringContaining('/pub/trackers?token='),
  )
})

test('an expired link has no QR code beside the list', async () => {
  await using page = await open('/public_links')
  await page.choose('Weekend tour')
  const detail = await page.inDetail('Weekend tour')
  expect(detail.getByText('Visitors of this link see nothing any more.')).toBeVisible()
  expect(detail.queryByRole('img')).toBeNull()
})

test('colour and trackers of a tag are changed beside the tags', async () => {
  await using page = await open('/tags')
  await page.choose('Pets')
  expect((await page.inDetail('Edit tag')).getByRole('textbox', { name: /^Name/ })).toHaveValue('Pets')
  const trackers = await page.inDetail('Trackers with the tag Pets')
  expect(trackers.getByRole('checkbox', { name: /^Misty/ })).toBeChecked()
})

test('the trackers of a user are chosen beside the team', async () => {
  await using page = await open('/administration/users', 'admin@pro.example.com')
  await page.choose('Marc Membre')
  const detail = await page.inDetail('Edit user')
  expect(await detail.findByRole('checkbox', { name: 'Truck 2' })).toBeChecked()
})

test('an alert with its address is changed beside the alerts', async () => {
  await using page = await open('/alerts')
  expect(await page.detail('What fired')).toBeVisible()
  await page.choose('Back home')
  expect((await page.inDetail('Alert')).getByRole('status')).toHaveTextContent('When Rex or Misty enters Home, tell Bob.')
  expect(location.pathname).toBe('/alerts/1')
  expect(page.screen.getByRole('link', { name: 'Back home' })).toHaveAttribute('aria-current', 'true')
})

test('a place with its address is changed beside the places', async () => {
  await using page = await open('/places/1')
  expect((await page.inDetail('Home')).getByRole('textbox', { name: /^Name/ })).toHaveValue('Home')
  expect(page.screen.getByRole('list', { name: 'Places' })).toBeVisible()
})

test('support, which changes nothing, sees the list alone', async () => {
  await using page = await open('/contacts', 'support@example.com')
  expect(await page.screen.findByText('bob@example.net')).toBeVisible()
  expect(page.screen.queryByRole('region', { name: 'Edit contact' })).toBeNull()
})
