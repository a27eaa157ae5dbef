import { within } from '@testing-library/react'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { devices } from '#db/schema/devices.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openConsole } from '#web/test/open-console.ts'

const { accountId } = getPersona('alice')
const ALICE = `/operator/customers/${accountId}`

const open = async (role: 'support' | 'finance', path = ALICE) => openConsole(path, { role })
const dialog = async ({ screen }: Awaited<ReturnType<typeof open>>) => within(await screen.findByRole('dialog'))

test('the page of a customer shows account, trackers, payments, orders, fired alerts and sessions', async () => {
  await using page = await open('support')
  const { screen } = page
  expect(await screen.findByRole('heading', { level: 1, name: /^Alice/ })).toBeVisible()
  const trackers = within(screen.getByRole('table', { name: 'Trackers' }))
  expect(trackers.getByRole('row', { name: /^Rex/ })).toHaveTextContent(/Active.*renews on/)
  expect(screen.getByRole('table', { name: 'Payments' })).toHaveTextContent('INV-')
  expect(screen.getByRole('table', { name: 'Orders' })).toHaveTextContent('ORD-')
  const fired = within(screen.getByRole('table', { name: 'What fired' }))
  expect(fired.getByRole('row', { name: /Rex Left a place/ })).toHaveTextContent('from before deliveries were recorded')
  expect(screen.getByRole('region', { name: 'Sessions' })).toBeVisible()
})

test('finance reads the page, and sees no deed that only support may do', async () => {
  await using page = await open('finance')
  await page.screen.findByRole('heading', { level: 1, name: /^Alice/ })
  expect(page.screen.queryByRole('button', { name: 'End all sessions' })).toBeNull()
})

test('ending all sessions asks first with the consequence, and stands in the log of the page', async () => {
  await using page = await open('support')
  await page.user.click(await page.screen.findByRole('button', { name: 'End all sessions' }))
  const ask = await dialog(page)
  expect(ask.getByText(/Every browser and app has to sign in again/)).toBeVisible()
  await page.user.click(ask.getByRole('button', { name: 'End all sessions' }))
  expect(await page.screen.findByText('No open session')).toBeVisible()
  expect(await page.screen.findByText(/^Ended all sessions of alice@example.com/)).toBeVisible()
})

test('months are given to a tracker that does not renew', async () => {
  await using page = await open('support', '/operator/customers?q=nobody@nowhere')
  await page.screen.findByRole('heading', { name: 'Nobody found' })
  await page.portal.world.db.write([], (tx) =>
    tx
      .update(devices)
      .set({ subState: 'ended', subEndDate: new Date('2026-01-01T00:00:00Z') })
      .where(eq(devices.id, SEED.devices.misty)),
  )
  window.history.pushState(null, '', ALICE)
  window.dispatchEvent(new PopStateEvent('popstate'))
  await page.user.click(await page.screen.findByRole('button', { name: 'Give months' }))
  const form = await dialog(page)
  await page.user.selectOptions(form.getByRole('combobox', { name: 'Tracker' }), form.getByRole('option', { name: /^Misty/ }))
  await page.user.clear(form.getByRole('textbox', { name: /^Months/ }))
  await page.user.type(form.getByRole('textbox', { name: /^Months/ }), '3')
  await page.user.click(form.getByRole('button', { name: 'Give months' }))
  expect(await page.screen.findByText('The subscription ends later now')).toBeVisible()
  expect(await page.screen.findByText(/^Gave months to the tracker .*: 3$/)).toBeVisible()
})

test('an account is made one of a team after a confirmation, and then the deed is offered no more', async () => {
  await using page = await open('support')
  await page.user.click(await page.screen.findByRole('button', { name: 'Make a team account' }))
  const ask = await dialog(page)
  expect(ask.getByText(/can invite colleagues, and signs in again/)).toBeVisible()
  await page.user.click(ask.getByRole('button', { name: 'Make a team account' }))
  expect(await page.screen.findByText('Made the account of alice@example.com a team account')).toBeVisible()
  expect(page.screen.queryByRole('button', { name: 'Make a team account' })).toBeNull()
})

test('a refused deed says why, and the dialog stays open', async () => {
  await using page = await open('support')
  await page.user.click(await page.screen.findByRole('button', { name: 'Move a plan' }))
  const form = await dialog(page)
  await page.portal.world.db.write([], (tx) =>
    tx.update(devices).set({ subState: 'active', subEndDate: null }).where(eq(devices.accountId, accountId)),
  )
  await page.user.click(form.getByRole('button', { name: 'Move a plan' }))
  expect(await form.findByText('The other tracker has a plan of its own.')).toBeVisible()
})

test('a change of e-mail needs a reason, is refused for an address in use, and then stands in the log of the page', async () => {
  await using page = await open('support')
  await page.user.click(await page.screen.findByRole('button', { name: 'Change the e-mail address' }))
  const form = await dialog(page)
  await page.user.type(form.getByRole('textbox', { name: /^New e-mail address/ }), 'bruno@example.com')
  await page.user.type(form.getByRole('textbox', { name: /^Reason/ }), 'Old mailbox closed')
  await page.user.click(form.getByRole('button', { name: 'Change the e-mail address' }))
  expect(await form.findByText('This e-mail address is already in use.')).toBeVisible()
  await page.user.clear(form.getByRole('textbox', { name: /^New e-mail address/ }))
  await page.user.type(form.getByRole('textbox', { name: /^New e-mail address/ }), 'alice.new@example.com')
  await page.user.click(form.getByRole('button', { name: 'Change the e-mail address' }))
  expect(await page.screen.findByText('Mails are on their way to alice.new@example.com and to the present address')).toBeVisible()
  expect(await page.screen.findByText(/^Started to change the e-mail alice@example.com to alice.new@example.com/)).toBeVisible()
})

test('an unknown customer says so', async () => {
  await using page = await open('support', '/operator/customers/987654')
  expect(await page.screen.findByRole('heading', { name: 'This customer does not exist any more' })).toBeVisible()
})
