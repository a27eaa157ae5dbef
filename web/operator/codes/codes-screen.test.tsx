import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openConsole } from '#web/test/open-console.ts'

async function open() {
  const page = await openConsole('/operator/codes', { role: 'stock' })
  const { screen, user } = page
  await screen.findByRole('heading', { name: 'Codes' })
  return {
    ...page,
    async dialog(opener: string | RegExp) {
      await user.click(await screen.findByRole('button', { name: opener }))
      return within(await screen.findByRole('dialog'))
    },
  }
}

async function makeBoxes({ user, dialog, screen }: Awaited<ReturnType<typeof open>>) {
  const form = await dialog('Make codes')
  await user.type(form.getByRole('textbox', { name: /Name of the batch/ }), 'Boxes')
  await user.type(form.getByRole('textbox', { name: /Number/ }), '3')
  await user.click(form.getByRole('button', { name: 'Make codes' }))
  const details = within(await screen.findByRole('complementary', { name: 'Codes' }))
  const table = within(await details.findByRole('table', { name: 'Code' }))
  return { details, codes: () => table.getAllByRole('rowheader').map(({ textContent }) => textContent), table }
}

test('codes are made, listed with their states, and one is made invalid after a confirmation', async () => {
  await using page = await open()
  const { codes, table } = await makeBoxes(page)
  const [first = ''] = codes()
  expect(codes()).toHaveLength(3)
  await page.user.click(table.getByRole('checkbox', { name: `Choose ${first}` }))
  await page.user.click(within(page.screen.getByText('Chosen: 1').parentElement!).getByRole('button', { name: 'Make invalid' }))
  const confirm = within(await page.screen.findByRole('dialog', { name: `Make invalid: ${first}` }))
  await page.user.click(confirm.getByRole('button', { name: 'Make invalid' }))
  await waitFor(() => expect(table.getAllByText('Void')).toHaveLength(1))
  expect(table.getAllByText('Unused')).toHaveLength(2)
})

test('the key x chooses codes, which are made invalid together', async () => {
  await using page = await open()
  const { codes, details, table } = await makeBoxes(page)
  const [first = '', second = ''] = codes()
  table.getByRole<HTMLElement>('checkbox', { name: `Choose ${first}` }).focus()
  await page.user.keyboard('xjx')
  const bar = within(details.getByText('Chosen: 2').parentElement!)
  await page.user.click(bar.getByRole('button', { name: 'Make invalid' }))
  const confirm = within(await page.screen.findByRole('dialog', { name: `Make invalid: ${first}, ${second}` }))
  await page.user.click(confirm.getByRole('button', { name: 'Make invalid' }))
  await waitFor(() => expect(table.getAllByText('Void')).toHaveLength(2))
  expect(table.getAllByRole('checkbox', { name: /\w$/ })).toHaveLength(1)
  expect(details.queryByText(/^Chosen/)).toBeNull()
})

test('batches and their codes are sorted by their heads, each in the address', async () => {
  await using page = await open()
  const { codes } = await makeBoxes(page)
  const before = codes()
  const head = async (name: string, table: string) =>
    page.user.click(
      within(within(await page.screen.findByRole('table', { name: table })).getByRole('columnheader', { name })).getByRole('button'),
    )
  await head('Code', 'Code')
  await waitFor(() => expect(codes()).toEqual(before.toReversed()))
  await head('Number', 'Codes')
  await waitFor(() => expect(window.location.search).toMatch(/sort_codes=-code&sort=count$/))
  await waitFor(() => expect(page.screen.getByRole('columnheader', { name: 'Number' })).toHaveAttribute('aria-sort', 'ascending'))
})

test('a code is found by its beginning', async () => {
  await using page = await open()
  const { codes } = await makeBoxes(page)
  const [first = ''] = codes()
  await page.user.type(page.screen.getByRole('textbox', { name: 'Beginning of a code' }), `${first}{Enter}`)
  const found = await page.screen.findByRole('table', { name: 'Code' })
  await waitFor(() =>
    expect(
      within(found)
        .getAllByRole('rowheader')
        .map(({ textContent }) => textContent),
    ).toEqual([first]),
  )
})

test('a code is mailed to a customer', async () => {
  await using page = await open()
  const form = await page.dialog('Mail a code')
  await page.user.type(form.getByRole('textbox', { name: /E-mail/ }), 'kim@example.com')
  await page.user.click(form.getByRole('button', { name: 'Mail a code' }))
  expect(await page.screen.findByText('The code is on its way to kim@example.com')).toBeVisible()
})

test('a code that is worth a plan is mailed, and is among the codes sent by mail', async () => {
  await using page = await open()
  const show = await page.screen.findByRole('combobox', { name: 'Show' })
  await page.user.selectOptions(show, 'Codes sent by mail')
  expect(await page.screen.findByText('No code was sent by mail yet')).toBeVisible()
  const form = await page.dialog('Mail a code')
  await page.user.type(form.getByRole('textbox', { name: /E-mail/ }), 'kim@example.com')
  const plan = await form.findByRole<HTMLSelectElement>('combobox', { name: 'Plan' })
  await page.user.selectOptions(plan, 'eur-24m')
  expect(form.queryByRole('textbox', { name: /Months/ })).toBeNull()
  await page.user.click(form.getByRole('button', { name: 'Mail a code' }))
  const table = within(await page.screen.findByRole('table', { name: 'Code' }))
  expect(table.getByText('kim@example.com')).toBeVisible()
  expect(table.getByText('25')).toBeVisible()
})
