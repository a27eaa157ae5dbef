import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openConsole } from '#web/test/open-console.ts'

const open = async () => {
  const page = await openConsole('/operator/staff', { role: 'admin', isAlone: true })
  const { screen, user } = page
  const members = await screen.findByRole('table', { name: 'Staff' })
  const cells = (row: HTMLElement) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent)
  return {
    ...page,
    members: () =>
      within(members)
        .getAllByRole('row')
        .slice(1)
        .map((row) => cells(row).slice(0, 4)),
    async dialog(opener: string | RegExp) {
      await user.click(await screen.findByRole('button', { name: opener }))
      return within(await screen.findByRole('dialog'))
    },
  }
}

type Page = Awaited<ReturnType<typeof open>>

async function addSam(page: Page) {
  const dialog = await page.dialog('Add a member')
  await page.user.type(dialog.getByRole('textbox', { name: /E-mail/ }), 'sam@shop.example')
  await page.user.type(dialog.getByRole('textbox', { name: /Name/ }), 'Sam Stone')
  await page.user.selectOptions(dialog.getByRole('combobox', { name: /Role/ }), 'Support')
  await page.user.click(dialog.getByRole('button', { name: 'Send invitation' }))
  return within(await page.screen.findByRole('dialog', { name: 'Invitation for sam@shop.example' }))
}

test('a member is added, and the invitation link can be copied', async () => {
  await using page = await open()
  const dialog = await addSam(page)
  await page.user.click(dialog.getByRole('button', { name: 'Copy the link' }))
  expect(await dialog.findByText('Copied')).toBeVisible()
  expect(await navigator.clipboard.readText()).toMatch(/^http:\/\/portal\.test\/operator\/invitation\?key=\w+$/)
  await page.user.click(dialog.getByRole('button', { name: 'Done' }))
  await waitFor(() =>
    expect(page.members()).toEqual([
      ['Nora King', 'nora@shop.example', 'Administrator', 'Active'],
      ['Sam Stone', 'sam@shop.example', 'Support', 'Invited'],
    ]),
  )
})

test('an address that a member has is rejected at its field', async () => {
  await using page = await open()
  const dialog = await page.dialog('Add a member')
  await page.user.type(dialog.getByRole('textbox', { name: /E-mail/ }), 'nora@shop.example')
  await page.user.type(dialog.getByRole('textbox', { name: /Name/ }), 'Nora')
  await page.user.click(dialog.getByRole('button', { name: 'Send invitation' }))
  expect(await dialog.findByText('This address already belongs to a member')).toBeVisible()
})

test('an invited member gets a new link, another role, and is removed after a confirmation', async () => {
  await using page = await open()
  await page.user.click((await addSam(page)).getByRole('button', { name: 'Done' }))
  const link = await page.dialog('New invitation link: Sam Stone')
  await page.user.click(link.getByRole('button', { name: 'Done' }))
  const role = await page.dialog('Change role: Sam Stone')
  await page.user.selectOptions(role.getByRole('combobox', { name: /Role/ }), 'Finance')
  await page.user.click(role.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(page.members()[1]).toEqual(['Sam Stone', 'sam@shop.example', 'Finance', 'Invited']))
  const removal = await page.dialog('Remove: Sam Stone')
  await page.user.click(removal.getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(page.members()).toHaveLength(1))
})

test('the last administrator keeps the role, and the reason is given', async () => {
  await using page = await open()
  const dialog = await page.dialog('Remove: Nora King')
  await page.user.click(dialog.getByRole('button', { name: 'Remove' }))
  expect(await dialog.findByText(/^This is the last administrator/)).toBeVisible()
})

test('a key for another system is made, shown once, and ended', async () => {
  await using page = await open()
  const dialog = await page.dialog('Make a key')
  await page.user.type(dialog.getByRole('textbox', { name: /System/ }), 'Shop')
  await page.user.click(dialog.getByRole('button', { name: 'Make a key' }))
  const fresh = within(await page.screen.findByRole('dialog', { name: 'New key: Shop' }))
  const key = fresh.getByText(/^[0-9a-f]{40}$/).textContent
  await page.user.click(fresh.getByRole('button', { name: 'Done' }))
  expect(page.screen.queryByText(key)).toBeNull()
  const end = await page.dialog('End the key “Shop”')
  await page.user.click(end.getByRole('button', { name: 'End' }))
  expect(await page.screen.findByText('No key yet')).toBeVisible()
})
