import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openConsole } from '#web/test/open-console.ts'

async function open(query = '', role: 'stock' | 'support' = 'stock') {
  const page = await openConsole(`/operator/stock${query}`, { role })
  const { screen, user } = page
  await screen.findByRole('heading', { name: 'Stock' })
  const list = async () => {
    const table = await screen.findByRole('table', { name: 'Stock' })
    return within(table)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent)
  }
  return {
    ...page,
    list,
    async dialog(name: string | RegExp) {
      return within(await screen.findByRole('dialog', { name }))
    },
    async pickFile(text: string) {
      await user.click(screen.getByRole('button', { name: 'Import a list' }))
      const dialog = within(await screen.findByRole('dialog', { name: 'Import a list' }))
      await user.upload(dialog.getByLabelText(/Choose a csv file/), new File([text], 'may.csv', { type: 'text/csv' }))
      return dialog
    },
  }
}

const HEADER = 'identifier,serial,type,batch\n'

test('the stock is filtered by number and state, in the address', async () => {
  await using page = await open()
  const { screen, user } = page
  expect((await page.list()).length).toBeGreaterThan(30)
  await user.type(screen.getByRole('textbox', { name: 'Identifier or S/N' }), '90000000-1{Enter}')
  await waitFor(async () => expect(await page.list()).toEqual(['90000000-10']))
  await user.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Blocked')
  expect(await screen.findByText('No tracker found')).toBeVisible()
  expect(window.location.search).toBe('?search=90000000-1&state=blocked')
})

test('a tracker is opened, blocked with a reason and unblocked, and its history says so', async () => {
  await using page = await open('?search=90000000-01')
  const { screen, user } = page
  await user.click(await screen.findByRole('link', { name: '90000000-01' }))
  const item = within(await screen.findByRole('complementary', { name: '90000000-01' }))
  expect(await item.findByText('Added to the stock')).toBeVisible()
  await user.click(item.getByRole('button', { name: 'Block' }))
  const block = await page.dialog('Block: 90000000-01')
  await user.type(block.getByRole('textbox', { name: /Reason/ }), 'Lost parcel')
  await user.click(block.getByRole('button', { name: 'Block' }))
  expect(await item.findByText(/Nora King · Lost parcel$/)).toBeVisible()
  await user.click(item.getByRole('button', { name: 'Unblock' }))
  await user.click((await page.dialog('Unblock: 90000000-01')).getByRole('button', { name: 'Unblock' }))
  expect(await item.findByText('In stock')).toBeVisible()
})

test('several trackers are chosen and blocked together', async () => {
  await using page = await open('?search=9')
  const { screen, user } = page
  for (const number of ['01', '02']) await user.click(await screen.findByRole('checkbox', { name: `Choose 90000000-${number}` }))
  expect(screen.getByText('Chosen: 2')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Block' }))
  await user.click((await page.dialog('Block: 90000000-01, 90000000-02')).getByRole('button', { name: 'Block' }))
  await waitFor(() => expect(within(screen.getByRole('table', { name: 'Stock' })).getAllByText('Blocked')).toHaveLength(2))
})

test('the box of the head chooses all rows of the table or none, also by the key a, and the number is announced', async () => {
  await using page = await open('?search=90000000-0')
  const { screen, user } = page
  const table = within(await screen.findByRole('table', { name: 'Stock' }))
  const [all, first, ...others] = table.getAllByRole<HTMLInputElement>('checkbox')
  expect(all).toHaveAccessibleName(`Choose all (${others.length + 1})`)
  await user.click(first!)
  expect(all!.indeterminate).toBe(true)
  await user.click(all!)
  for (const box of [all, first, ...others]) expect(box).toBeChecked()
  expect(all!.indeterminate).toBe(false)
  const status = screen.getByText(`Chosen: ${others.length + 1}`)
  expect(status).toHaveRole('status')
  await user.keyboard('a')
  for (const box of [all, first, ...others]) expect(box).not.toBeChecked()
  expect(status).toBeEmptyDOMElement()
  await user.keyboard('a')
  await user.click(screen.getByRole('button', { name: 'Block' }))
  const block = await page.dialog(/^Block: 90000000-01, 90000000-02, 90000000-03, …$/)
  await user.click(block.getByRole('button', { name: 'Block' }))
  await waitFor(() => expect(table.getAllByText('Blocked')).toHaveLength(others.length + 1))
})

test('a file is imported after a preview of what it changes', async () => {
  await using page = await open('?batch=May')
  const dialog = await page.pickFile(`${HEADER}77000001-01,AAAA00000001,tracker_01,May\n77000002-01,AAAA00000002,triby,May\n`)
  expect((await dialog.findByText('New')).nextElementSibling).toHaveTextContent('2')
  await page.user.click(dialog.getByRole('button', { name: 'Import' }))
  expect(await dialog.findByText('Imported. New: 2, changed: 0')).toBeVisible()
  await page.user.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1)!)
  expect(await page.list()).toEqual(['77000001-01', '77000002-01'])
})

test('the refused lines of a file are listed with their reasons, and only the good ones can be imported', async () => {
  await using page = await open('?batch=May')
  const dialog = await page.pickFile(`${HEADER}77,AAAA00000001,tracker_01,May\n77000002-01,AAAA00000002,triby,May\n`)
  const lines = within(await dialog.findByRole('list', { name: 'Refused lines' })).getAllByRole('listitem')
  expect(lines.map(({ textContent }) => textContent)).toEqual(['Line 277: not an identifier of 8+2 digits'])
  await page.user.click(dialog.getByRole('button', { name: 'Import only the good lines' }))
  expect(await dialog.findByText('Imported. New: 1, changed: 0')).toBeVisible()
})

test('a file that is no list of trackers is refused in plain words', async () => {
  await using page = await open()
  const dialog = await page.pickFile('colour\nred\n')
  expect(await dialog.findByText(/^This file is not a list of trackers/)).toBeVisible()
})

test('the keys j and k open the trackers one after the other', async () => {
  await using page = await open('?search=9')
  const { screen, user } = page
  await page.list()
  await user.keyboard('jj')
  expect(await screen.findByRole('complementary', { name: '90000000-02' })).toBeVisible()
  await user.keyboard('k')
  expect(await screen.findByRole('complementary', { name: '90000000-01' })).toBeVisible()
})

test('support sees the stock but cannot change it', async () => {
  await using page = await open('?search=90000000-01', 'support')
  await page.list()
  expect(page.screen.queryByRole('button', { name: 'Import a list' })).toBeNull()
  expect(page.screen.queryByRole('checkbox')).toBeNull()
})
