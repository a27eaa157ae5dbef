import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { submitPayment } from '#server/billing/subscriptions/test-purchase.ts'
import { browser } from '#web/billing/provider-page.ts'
import { respondWith, withFaults, withHeldRequest } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const ALL = { features: [...FEATURES], payments: { origins: ['http://portal.test'] } }
const ALICE = 'alice@example.com'
const SETTINGS = '/trackers/4/settings'
const LOST = { reason: 'lost', description: 'In the river', delivery: 'Alice\nEllauri 350' }
const findPlan = async () => within(await screen.findByRole('region', { name: 'Care plan' }))

test('R-9.18 the care plan of a tracker leads through a form to the checkout, and then shows the order', async () => {
  const goTo = vi.spyOn(browser, 'goTo').mockImplementation(() => {})
  await using page = await openAs(ALICE, SETTINGS, ALL)
  const { user, portal } = page
  const plan = await findPlan()
  expect(plan.getByText(/50% off one replacement tracker: €24.95 instead of €49.90/)).toBeVisible()
  await user.click(plan.getByRole('button', { name: 'Use your care plan' }))
  await user.selectOptions(plan.getByRole('combobox', { name: /Why do you need/ }), 'It was stolen')
  await user.type(plan.getByRole('textbox', { name: /What happened/ }), 'Gone with the bike')
  await user.type(plan.getByRole('textbox', { name: /Delivery address/ }), 'Alice{Enter}Ellauri 350')
  await user.click(plan.getByRole('button', { name: 'Continue to payment' }))
  expect(await plan.findByText(/Your claim of Mar 2, 2026 is open/)).toBeVisible()
  expect(plan.getByText(/Gone with the bike/)).toBeVisible()
  expect(plan.getByText(/^Alice\s+Ellauri 350$/)).toBeVisible()
  expect(goTo).toHaveBeenCalledTimes(1)

  await submitPayment(portal, new URL(goTo.mock.calls[0]![0]).pathname.split('/').at(-1)!)
  page.unmount()
  await renderAt(`${SETTINGS}?care=paid`, { portal, as: ALICE, config: ALL })
  expect(await screen.findByText(/Your replacement is ordered/)).toBeVisible()
  expect(screen.getByRole('link', { name: /^Order ORD-/ })).toBeVisible()
})

test('an open claim can be withdrawn, after which the plan can be used again', async () => {
  await using portal = await startSyncedPortal()
  await portal.call(ALICE, 'POST', '/devices/4/care_claim/', LOST)
  const { user } = await renderAt(SETTINGS, { portal, as: ALICE, config: ALL })
  const plan = await findPlan()
  expect(await plan.findByRole('button', { name: 'Pay €24.95' })).toBeVisible()
  await user.click(plan.getByRole('button', { name: 'Withdraw the claim' }))
  expect(await plan.findByRole('button', { name: 'Use your care plan' })).toBeVisible()
})

test('a payment that cannot be started is reported, and the claim stays open', async () => {
  await using portal = await startSyncedPortal()
  await portal.call(ALICE, 'POST', '/devices/4/care_claim/', LOST)
  const server = withFaults(portal, { '/devices/4/care_claim/payment_session/': respondWith(503) })
  const { user } = await renderAt(SETTINGS, { portal: server, as: ALICE, config: ALL })
  const plan = await findPlan()
  await user.click(await plan.findByRole('button', { name: 'Pay €24.95' }))
  expect(await plan.findByText(/The payment could not be started/)).toBeVisible()
  expect(plan.getByRole('button', { name: 'Pay €24.95' })).toBeEnabled()
})

test('a double click on the payment of a replacement sends one request', async () => {
  await using portal = await startSyncedPortal()
  await portal.call(ALICE, 'POST', '/devices/4/care_claim/', LOST)
  const held = withHeldRequest(portal, 'POST')
  await renderAt(SETTINGS, { portal: held, as: ALICE, config: ALL })
  const button = await (await findPlan()).findByRole('button', { name: 'Pay €24.95' })
  act(() => {
    button.click()
    button.click()
  })
  await waitFor(() => expect(button).toHaveAttribute('data-loading', 'true'))
  expect(held.sent).toHaveLength(1)
})

test('a tracker without a care plan has no such section', async () => {
  await using _ = await openAs(ALICE, '/trackers/1/settings', ALL)
  expect(await screen.findByRole('region', { name: 'Remove tracker' })).toBeVisible()
  expect(screen.queryByRole('region', { name: 'Care plan' })).toBeNull()
})
