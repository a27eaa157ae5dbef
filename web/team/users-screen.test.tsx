import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openAs } from '#web/test/open-as.tsx'

const ADMIN = 'admin@pro.example.com'
const plain = (element: HTMLElement) => element.textContent.replace(/\s+/g, ' ')

const open = async (as = ADMIN) => {
  const page = await openAs(as, '/administration/users', { features: [...FEATURES] })
  const list = () => within(page.screen.getByRole('main'))
  const press = async (name: string) => page.user.click(await page.screen.findByRole('button', { name }))
  return {
    ...page,
    press,
    users: () => list().queryAllByRole('listitem').map(plain),
    async dialog(opener: string) {
      await press(opener)
      return within(await page.screen.findByRole('dialog'))
    },
  }
}

test('R-1.27 R-2.69 the administrator sees the users of the account', async () => {
  await using page = await open()
  await page.screen.findByText('Marc Membre')
  expect(page.users()).toEqual([
    'Ada Adminadmin@pro.example.comAdministrator · All trackersActive',
    'Ines Invitedinvited@pro.example.comMember · No trackerInvitedSend invitation again',
    'Marc Membremember@pro.example.comMember · 2 trackersActive',
    'Nora Newcomernewcomer@pro.example.comMember · No trackerActive',
  ])
})

test.each(['alice@example.com', 'member@pro.example.com'])('R-1.27 %s gets a not-found page without a request', async (as) => {
  await using page = await open(as)
  expect(await page.screen.findByText('Page not found')).toBeVisible()
  expect(document.title).toBe('Whereabouts - Page not found')
  expect(page.calls.filter(({ path }) => path.startsWith('/users/team/'))).toEqual([])
})

test('R-1.28 a user is invited with the trackers they see', async () => {
  await using page = await open()
  const dialog = await page.dialog('Add user')
  await page.user.type(dialog.getByRole('textbox', { name: /E-mail/ }), 'new@pro.example.com')
  await page.user.type(dialog.getByRole('textbox', { name: /First name/ }), 'Nils')
  await page.user.type(dialog.getByRole('textbox', { name: /Last name/ }), 'Neu')
  await page.user.click(await dialog.findByRole('checkbox', { name: 'Van 1' }))
  await page.user.click(dialog.getByRole('checkbox', { name: 'Truck 2' }))
  await page.user.click(dialog.getByRole('button', { name: 'Send invitation' }))
  expect(await page.screen.findByText('new@pro.example.com has been invited.')).toBeVisible()
  await waitFor(() => expect(page.users()).toContain('Nils Neunew@pro.example.comMember · 2 trackersInvitedSend invitation again'))
})

test('a taken or malformed address is rejected, and the input stays', async () => {
  await using page = await open()
  const dialog = await page.dialog('Add user')
  await page.user.type(dialog.getByRole('textbox', { name: /E-mail/ }), 'nowhere')
  await page.user.type(dialog.getByRole('textbox', { name: /First name/ }), 'Alice')
  await page.user.type(dialog.getByRole('textbox', { name: /Last name/ }), 'Again')
  await page.user.click(dialog.getByRole('button', { name: 'Send invitation' }))
  expect(await dialog.findByText('Invalid e-mail address')).toBeVisible()
  await page.user.clear(dialog.getByRole('textbox', { name: /E-mail/ }))
  await page.user.type(dialog.getByRole('textbox', { name: /E-mail/ }), 'alice@example.com')
  await page.user.click(dialog.getByRole('button', { name: 'Send invitation' }))
  expect(await dialog.findByText('An account with this e-mail address already exists')).toBeVisible()
  expect(dialog.getByRole('textbox', { name: /First name/ })).toHaveValue('Alice')
})

test('name and trackers of a user can be changed', async () => {
  await using page = await open()
  const dialog = await page.dialog('Edit: Marc Membre')
  await page.user.clear(dialog.getByRole('textbox', { name: /First name/ }))
  await page.user.type(dialog.getByRole('textbox', { name: /First name/ }), 'Marcel')
  await page.user.click(await dialog.findByRole('checkbox', { name: 'Guard dog' }))
  await page.user.click(dialog.getByRole('button', { name: 'Save' }))
  await page.screen.findByText('Marcel Membre')
  await waitFor(() => expect(page.users()).toContain('Marcel Membremember@pro.example.comMember · 3 trackersActive'))
})

test('a user is removed after a confirmation, but administrators cannot remove themselves', async () => {
  await using page = await open()
  const dialog = await page.dialog('Remove: Nora Newcomer')
  await page.user.click(dialog.getByRole('button', { name: 'Remove' }))
  expect(await page.screen.findByText('Nora Newcomer has been removed.')).toBeVisible()
  await waitFor(() => expect(page.users()).toHaveLength(3))
  expect(page.screen.queryByRole('button', { name: 'Remove: Ada Admin' })).toBeNull()
})

const makeByMember = async (page: Awaited<ReturnType<typeof open>>) => {
  const { proVan, proTruck } = SEED.devices
  const call = (path: string, body: object) => page.portal.call('member@pro.example.com', 'POST', path, body)
  const link = await call(`/devices/${proVan}/public_share_link/`, { label: 'Round', permanent: true })
  await call(`/devices/${proTruck}/keys/`, { label: 'My phone' })
  return async () => (await page.portal.call(null, 'GET', `/tracker_public_share_links/${link.body.uuid}/`)).status
}

test('the dialog that removes a user lists their links and keys, which end with them', async () => {
  await using page = await open()
  const readLink = await makeByMember(page)
  const dialog = await page.dialog('Remove: Marc Membre')
  expect(await dialog.findByText('These end as well')).toBeVisible()
  expect(dialog.getAllByRole('listitem').map(plain)).toEqual(['Public link “Round”: Van 1', 'Phone “My phone”: Truck 2'])
  await page.user.click(dialog.getByRole('button', { name: 'Remove' }))
  expect(await page.screen.findByText('Marc Membre has been removed.')).toBeVisible()
  expect(await readLink()).toBe(404)
})

test('a key without a name is listed by its kind and tracker', async () => {
  await using page = await open()
  await page.portal.call('member@pro.example.com', 'POST', `/devices/${SEED.devices.proTruck}/keys/`, {})
  const dialog = await page.dialog('Remove: Marc Membre')
  expect((await dialog.findAllByRole('listitem')).map(plain)).toEqual(['Phone: Truck 2'])
})

test('the administrator keeps the links and keys of a removed user', async () => {
  await using page = await open()
  const readLink = await makeByMember(page)
  const dialog = await page.dialog('Remove: Marc Membre')
  await page.user.click(await dialog.findByRole('checkbox', { name: 'Keep them working' }))
  expect(dialog.getByText('These keep working')).toBeVisible()
  await page.user.click(dialog.getByRole('button', { name: 'Remove' }))
  expect(await page.screen.findByText('Marc Membre has been removed.')).toBeVisible()
  expect(await readLink()).toBe(200)
})

test('a shorter list of trackers shows the links and keys that the user made for the removed ones', async () => {
  await using page = await open()
  await makeByMember(page)
  const dialog = await page.dialog('Edit: Marc Membre')
  await page.user.click(await dialog.findByRole('checkbox', { name: 'Truck 2' }))
  expect(await dialog.findByText('Phone “My phone”: Truck 2')).toBeVisible()
  expect(dialog.queryByText('Public link “Round”: Van 1')).toBeNull()
})

test('an invitation can be sent again', async () => {
  await using page = await open()
  await page.press('Send invitation again: Ines Invited')
  expect(await page.screen.findByText('An invitation is on its way to invited@pro.example.com.')).toBeVisible()
})

test('R-1.29 the administration e-mail is shown, validated and changed', async () => {
  await using page = await open()
  const field = await page.screen.findByRole('textbox', { name: 'Administration e-mail' })
  expect(field).toHaveValue('fleet@pro.example.com')
  await page.user.clear(field)
  await page.user.type(field, 'office')
  await page.press('Save')
  expect(await page.screen.findByText('Invalid e-mail address')).toBeVisible()
  await page.user.type(field, '@pro.example.com')
  await page.press('Save')
  expect(await page.screen.findByText('Saved')).toBeVisible()
  const { body } = await page.portal.call(ADMIN, 'GET', '/users/settings/')
  expect(body.admin_email).toBe('office@pro.example.com')
})
