import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { StaffRole } from '#contracts/lib/staff-rights.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openConsole } from '#web/test/open-console.ts'

const DARIO = 'dario@example.com'

/** Opens the console with a request of dario for a tracker of alice. */
async function open(role: StaffRole, tracker: number = SEED.devices.misty) {
  const page = await openConsole('/operator/customers?q=nobody@nowhere', { role })
  await page.screen.findByRole('heading', { name: 'Nobody found' })
  const { identifier } = (await page.portal.call('alice@example.com', 'GET', `/devices/${tracker}/`)).body
  const asked = { identifier, email: DARIO, reason: 'bought_used', message: 'From a flea market' }
  const { reference } = (await page.portal.call(DARIO, 'POST', '/devices/trackers/unlink_request/', asked)).body
  await page.user.click(page.screen.getByRole('link', { name: 'Requests' }))
  await page.user.click(await page.screen.findByRole('link', { name: reference }))
  const card = within(await page.screen.findByRole('complementary', { name: reference }))
  return { ...page, card, reference, [Symbol.asyncDispose]: () => page[Symbol.asyncDispose]() }
}

test('a request shows who asks, why, and what speaks for the account that has the tracker', async () => {
  await using page = await open('finance')
  expect(page.card.getByText('From a flea market')).toBeVisible()
  expect(page.card.getByText('Bought used')).toBeVisible()
  expect(page.card.getByRole('link', { name: 'alice@example.com' })).toBeVisible()
  expect(page.card.getByText('has proven the S/N')).toBeVisible()
  expect(page.card.getAllByRole('button')).toEqual([page.card.getByRole('button', { name: 'Close' })])
})

test('accepting asks with the consequence, and the request then stands among the accepted ones', async () => {
  await using page = await open('support')
  const { screen, user, card } = page
  await user.click(card.getByRole('button', { name: 'Give it to them' }))
  const ask = within(await screen.findByRole('dialog'))
  expect(ask.getByText(/positions, alerts and links of the present account are deleted/)).toBeVisible()
  await user.click(ask.getByRole('button', { name: 'Take it and give it to them' }))
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Accepted' }))
  await user.click(await screen.findByRole('link', { name: page.reference }))
  expect(await screen.findByRole('complementary', { name: page.reference })).toHaveTextContent('Nora King')
})

test('refusing needs a reason, which the requester gets', async () => {
  await using page = await open('support')
  const { screen, user, card } = page
  await user.click(card.getByRole('button', { name: 'Refuse …' }))
  const form = within(await screen.findByRole('dialog'))
  await user.type(form.getByRole('textbox', { name: /^Reason/ }), 'The other owner showed the invoice.')
  await user.click(form.getByRole('button', { name: 'Refuse the request' }))
  expect(await screen.findByText(`${page.reference} is refused`)).toBeVisible()
})

test('a tracker that is reported missing cannot be given away, and the dialog says why', async () => {
  await using page = await open('support', SEED.devices.stolenScooter)
  const { screen, user, card } = page
  await user.click(card.getByRole('button', { name: 'Give it to them' }))
  const ask = within(await screen.findByRole('dialog'))
  await user.click(ask.getByRole('button', { name: 'Take it and give it to them' }))
  expect(await ask.findByText(/is reported lost or stolen/)).toBeVisible()
})

test('a request to move a plan shows both trackers, and accepting it says what moves', async () => {
  const { misty, oldTracker } = SEED.devices
  await using page = await openConsole('/operator/customers?q=nobody@nowhere', { role: 'support' })
  const { screen, user, portal } = page
  await screen.findByRole('heading', { name: 'Nobody found' })
  const asked = { from: misty, to: oldTracker, message: 'The collar is broken' }
  const { reference } = (await portal.call('alice@example.com', 'POST', '/users/plan_moves/requests/', asked)).body
  await user.click(screen.getByRole('link', { name: 'Requests' }))
  await user.click(await screen.findByRole('link', { name: reference }))
  const card = within(await screen.findByRole('complementary', { name: reference }))
  expect(card.getByRole('heading', { name: 'Wants the plan of Misty on Old tracker' })).toBeVisible()
  expect(card.getByText('Moved without support in the last year: 0')).toBeVisible()
  await user.click(card.getByRole('button', { name: 'Move the plan' }))
  const ask = within(await screen.findByRole('dialog', { name: 'Move the plan of Misty to Old tracker?' }))
  expect(ask.getByText(/Misty then has no subscription/)).toBeVisible()
  await user.click(ask.getByRole('button', { name: 'Move the plan' }))
  expect(await screen.findByText(`${reference} is accepted`)).toBeVisible()
})

test('the keys move through the requests and open them, / searches, and the state, the search and the order stay in the address', async () => {
  await using page = await open('support')
  const { screen, user, reference } = page
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  const references = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
  const [first] = references()
  expect(references().at(-1)).toBe(reference)
  await user.keyboard('k'.repeat(references().length))
  expect(await screen.findByRole('complementary', { name: first! })).toBeVisible()
  await user.keyboard('{Escape}/dario@{Enter}')
  await waitFor(() => expect(references()).toEqual([reference]))
  await user.click(within(screen.getByRole('columnheader', { name: 'Date' })).getByRole('button'))
  await waitFor(() => expect(screen.getByRole('columnheader', { name: 'Date' })).toHaveAttribute('aria-sort', 'descending'))
  await user.click(screen.getByRole('button', { name: 'Refused' }))
  expect(await screen.findByText('No request here')).toBeVisible()
  expect(window.location.search).toBe('?search=dario%40&sort=-date&status=refused')
})
