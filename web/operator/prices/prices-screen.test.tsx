import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { StaffRole } from '#contracts/lib/staff-rights.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { openConsole } from '#web/test/open-console.ts'

const PRICE = 'eur-12m'

async function open(role: StaffRole = 'finance', path = `/operator/prices?price=${PRICE}`) {
  const page = await openConsole(path, { role })
  const { screen, user, portal } = page
  await screen.findByRole('heading', { name: 'Prices' })
  const details = () => within(screen.getByRole('complementary'))
  return {
    ...page,
    details,
    dayIn: (days: number) => new Date(portal.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10),
    async form() {
      await user.click(await details().findByRole('button', { name: 'Set a new amount' }))
      const dialog = within(await screen.findByRole('dialog'))
      return {
        dialog,
        amount: dialog.getByRole('textbox', { name: /New amount/ }),
        day: dialog.getByLabelText(/From this day on/),
        running: dialog.getByRole('combobox', { name: /Running renewals/ }),
        save: () => user.click(dialog.getByRole('button', { name: 'Save the new amount' })),
      }
    },
  }
}

async function plan(page: Awaited<ReturnType<typeof open>>, amount: string, days: number) {
  const form = await page.form()
  await page.user.type(form.amount, amount)
  await page.user.type(form.day, page.dayIn(days))
  return form
}

test('the dialog shows which customers a new price affects, and the saved price is listed as coming', async () => {
  await using page = await open()
  const form = await plan(page, '16.95', 60)
  await page.user.selectOptions(form.running, 'change')
  const preview = within((await form.dialog.findByRole('heading', { name: 'What this changes' })).closest('section')!)
  await waitFor(() => expect(preview.getByText('First at the new amount')).toBeVisible())
  expect(preview.getByText('A year after')).toBeVisible()
  await form.save()
  expect(await page.details().findByText(/^€16\.95 from /)).toBeVisible()
  expect(within(page.screen.getByRole('table', { name: 'Prices' })).getByText(/^€16\.95 from /)).toBeVisible()
})

test('an error from the server appears beside its field while the user types', async () => {
  await using page = await open()
  const form = await plan(page, '16.95', 3)
  await page.user.selectOptions(form.running, 'change')
  expect(await form.dialog.findByText(/holds 30 days from now at the earliest/)).toBeVisible()
  await page.user.clear(form.amount)
  await page.user.type(form.amount, '14.95')
  await page.user.selectOptions(form.running, 'keep')
  expect(await form.dialog.findByText('This amount holds already')).toBeVisible()
  await page.user.clear(form.amount)
  await page.user.type(form.amount, '16.955')
  await form.save()
  expect(await form.dialog.findByText('Enter an amount that this currency has, such as €14.95')).toBeVisible()
})

test('a day that a colleague has planned is refused with the name and the amount', async () => {
  await using page = await open()
  await (await plan(page, '16.95', 60)).save()
  await page.details().findByText(/^€16\.95 from /)
  const form = await plan(page, '17.95', 60)
  expect(await form.dialog.findByText(/^Nora King has planned €16\.95 from /)).toBeVisible()
})

test('a coming amount is withdrawn after a confirmation, and stays in the history', async () => {
  await using page = await open()
  await (await plan(page, '16.95', 60)).save()
  await page.user.click(await page.details().findByRole('button', { name: 'Withdraw' }))
  const confirm = within(await page.screen.findByRole('dialog'))
  expect(confirm.getByText(/keeps what it costs/)).toBeVisible()
  await page.user.click(confirm.getByRole('button', { name: 'Withdraw' }))
  expect(await page.details().findByText('Nothing is planned.')).toBeVisible()
  await page.user.click(page.screen.getByRole('button', { name: 'History' }))
  const history = within(await page.screen.findByRole('table', { name: 'History' }))
  expect(history.getByText('Withdrawn')).toBeVisible()
  expect(history.getByText('Nora King')).toBeVisible()
})

test('the history of prices is sorted by its heads', async () => {
  await using page = await open()
  await (await plan(page, '16.95', 60)).save()
  await page.details().findByText(/^€16\.95 from /)
  await (await plan(page, '15.95', 90)).save()
  await page.details().findByText(/^€15\.95 from /)
  await page.user.click(page.screen.getByRole('button', { name: 'History' }))
  const history = within(await page.screen.findByRole('table', { name: 'History' }))
  const amounts = () =>
    history
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell')[2]?.textContent)
  expect(amounts()).toEqual(['€15.95', '€16.95'])
  await page.user.click(within(history.getByRole('columnheader', { name: 'From' })).getByRole('button'))
  expect(amounts()).toEqual(['€16.95', '€15.95'])
  await page.user.click(within(history.getByRole('columnheader', { name: 'New amount' })).getByRole('button'))
  expect(amounts()).toEqual(['€15.95', '€16.95'])
})

test('support sees prices and cannot change them, and yen have no decimals', async () => {
  await using page = await open('support', '/operator/prices?currency=jpy&price=jpy-12m')
  expect((await page.details().findAllByText('¥2,500'))[0]).toBeVisible()
  expect(page.details().queryByRole('button', { name: 'Set a new amount' })).toBeNull()
  await page.user.click(page.screen.getByRole('button', { name: 'EUR' }))
  await waitFor(() => expect(within(page.screen.getByRole('table', { name: 'Prices' })).queryByText('¥2,500')).toBeNull())
})
