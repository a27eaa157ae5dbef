import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { confirmActivation } from '#web/test/confirm-activation.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { stopSales } from '#web/test/stop-sales.ts'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const open = async (as = 'alice@example.com', config = {}) => {
  const page = await openAs(as, '/subscriptionSelector', config)
  const list = await screen.findByRole('list', { name: 'List of trackers' })
  const row = (name: string) => within(within(list).getByText(name).closest('li')!)
  return { ...page, list, row }
}

describe('subscription list', () => {
  test('a tracker whose renewals get a new price shows it with its day', async () => {
    await using portal = await startSyncedPortal()
    const { body } = await portal.call('alice@example.com', 'GET', '/users/subscriptions/')
    const rex = (body as { device: number; price: string }[]).find(({ price }) => price === 'eur-1m')
    const next_amount = { amount: 249, currency: 'eur', from: '2026-11-01T00:00:00Z' }
    const faults = { '/users/subscriptions/': respondWith(200, JSON.stringify([{ ...rex, next_amount }])) }
    await renderAt('/subscriptionSelector', { portal: withFaults(portal, faults), as: 'alice@example.com' })
    expect(await screen.findByText(/^Renewals from (Oct 31|Nov 1), 2026 on cost €2\.49$/)).toBeVisible()
  })

  test('R-2.11 R-4.21 R-4.18 R-6.7 each tracker is listed in order with its subscription state and next action', async () => {
    await using page = await open()
    expect([...page.list.querySelectorAll('li strong')].map(({ textContent }) => textContent)).toEqual(
      [
        ['Spare tracker', 'New tracker', 'Old tracker', 'Puppy', 'Misty', 'Company van', 'Hiker', 'Cessna', 'Runaway cat'],
        ['Delivery van', 'City bike', 'Stolen scooter', 'Rex', 'Family car', 'Trailer', 'Cold box', 'Grandpa', 'Kitchen'],
      ].flat(),
    )
    expect(page.row('New tracker').getByRole('button', { name: 'Activate subscription' })).toBeVisible()
    expect(page.row('Old tracker').getByRole('link', { name: 'Renew: Old tracker' })).toBeVisible()
    expect(page.row('Misty').getByRole('link', { name: 'Extend: Misty' })).toHaveAttribute('href', '/subscription?devices=2')
    expect(page.row('Misty').getByText(/Active until Mar 14/)).toBeVisible()
    expect(page.row('Kitchen').getByRole('link', { name: 'Choose: Kitchen' })).toBeVisible()
    expect(page.row('Rex').getByText(/Renews on/)).toBeVisible()
    expect(page.row('Rex').getByRole('button', { name: 'Manage: Rex' })).toBeVisible()
    expect(page.row('Rex').queryByRole('combobox')).toBeNull()
    const van = page.row('Company van')
    expect(van.getByText(/linked to a pro account/)).toBeVisible()
    expect(van.getByRole('link', { name: 'Contact us' })).toHaveAttribute('href', '/contact_us')
    expect(van.queryByRole('combobox')).toBeNull()
  })

  test('a tracker with a care plan links to it, if the backend has claims', async () => {
    await using page = await open('alice@example.com', { features: [...FEATURES] })
    expect(page.row('Family car').getByRole('link', { name: 'Care plan: Family car' })).toHaveAttribute('href', '/trackers/4/settings#care')
    expect(screen.getAllByRole('link', { name: /^Care plan: / }).length).toBeLessThan(page.list.querySelectorAll('li').length)
    page.unmount()
    await using without = await open()
    expect(without.row('Family car').queryByRole('link', { name: /^Care plan/ })).toBeNull()
  })

  test("R-8.19 without prices in the account's currency the page links to changing the currency", async () => {
    await using portal = await startSyncedPortal()
    await stopSales(portal, 'chf')
    await renderAt('/subscriptionSelector', { portal, as: 'erika@example.com' })
    expect(await screen.findByText('No subscription available for that currency.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Account settings' })).toHaveAttribute('href', '/account')
    expect(screen.getByRole('list', { name: 'List of trackers' }).querySelectorAll('li')).toHaveLength(1)
  })

  test('R-9.20 an active 3-year plan keeps its name and is no longer sold', async () => {
    await using page = await open()
    expect(page.row('Trailer').getByText(/3 years/)).toBeVisible()
    expect(page.row('Misty').queryByRole('combobox')).toBeNull()
    await page.user.click(screen.getByRole('button', { name: 'Choose several' }))
    const plans = within(page.row('Misty').getByRole('combobox')).getAllByRole('option')
    expect(plans.map(({ textContent }) => textContent?.replace(/\u00a0/g, ' '))).toEqual([
      'No change',
      '1 month · monthly · €1.99',
      '3 months · every 3 months · €4.99',
      '1 year · yearly · €14.95',
      '1 year · one-time · €16.95',
      '2 years + 1 month free · every 2 years · €24.90',
    ])
  })

  test('R-2.11 R-4.22 when several are chosen, every tracker starts at "No change", and each period has its own total', async () => {
    await using page = await open()
    await page.user.click(screen.getByRole('button', { name: 'Choose several' }))
    const [misty, bike] = ['Misty', 'City bike'].map((name) => screen.getByRole('combobox', { name: `Plan for ${name}` }))
    expect(misty).toHaveDisplayValue('No change')
    expect(screen.queryByRole('region', { name: 'Summary' })).toBeNull()
    await page.user.selectOptions(misty!, 'eur-12m')
    await page.user.selectOptions(bike!, 'eur-1m')
    const bar = within(screen.getByRole('region', { name: 'Summary' }))
    expect(bar.getByText('€14.95').parentElement).toHaveTextContent('€14.95 yearly')
    expect(bar.getByText('€1.99').parentElement).toHaveTextContent('€1.99 monthly')
    await page.user.selectOptions(bike!, 'eur-12m')
    expect(bar.getByText('€29.90')).toBeVisible()
    await page.user.selectOptions(bike!, '')
    expect(bar.getByText('€14.95')).toBeVisible()
    await page.user.selectOptions(bike!, 'eur-24m')
    await page.user.click(bar.getByRole('link', { name: 'Continue' }))
    await screen.findByRole('heading', { level: 1, name: 'Subscription' })
    expect(await screen.findByRole('combobox', { name: 'Plan for City bike' })).toHaveValue('eur-24m')
    expect(screen.getByRole('combobox', { name: 'Plan for Misty' })).toHaveValue('eur-12m')
  })

  test('a recurring subscription is cancelled after a confirmation with its end date, and can be resumed', async () => {
    await using page = await open()
    await page.user.click(page.row('Rex').getByRole('button', { name: 'Stop renewing: Rex' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Stop renewing the subscription?' }))
    expect(dialog.getByRole('listitem')).toHaveTextContent('Rex Active until Sep 18, 2026')
    expect(dialog.queryByText(/bought together/)).toBeNull()
    await page.user.click(dialog.getByRole('button', { name: 'Stop renewing' }))
    expect(await screen.findByText('The subscription will no longer renew.')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await page.row('Rex').findByText(/Active until Sep 18, 2026/)).toBeVisible()
    expect(page.row('Rex').getByRole('link', { name: 'Extend: Rex' })).toBeVisible()
    await page.user.click(page.row('Rex').getByRole('button', { name: 'Keep renewing: Rex' }))
    expect(await page.row('Rex').findByText(/Renews on Sep 18, 2026/)).toBeVisible()
    expect(page.row('Misty').queryByRole('button', { name: /renewing/ })).toBeNull()
  })

  test('R-1.16 a subscription included with a tracker is activated for that tracker only', async () => {
    await using page = await open()
    await page.user.click(page.row('New tracker').getByRole('button', { name: 'Activate subscription' }))
    await confirmActivation(page.user)
    // The message, and the row once it is read again.
    expect((await screen.findAllByText(/^Active until [A-Z][a-z]{2} \d+, 20\d\d$/))[0]).toBeVisible()
    expect(await page.row('New tracker').findByText(/Active until|Renews on/)).toBeVisible()
    expect(page.row('Spare tracker').getByRole('button', { name: 'Activate subscription' })).toBeVisible()
  })
})

describe('other states of the subscription list', () => {
  test('R-4.23 the loading indicator disappears after a failure', async () => {
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { '/users/tracker_prices': respondWith(500) })
    const { user } = await renderAt('/subscriptionSelector', { portal: server, as: 'alice@example.com' })
    await screen.findByText('Loading…')
    const retry = await screen.findByRole('button', { name: 'Try again' })
    expect(screen.queryByText('Loading…')).toBeNull()
    server.mend()
    await user.click(retry)
    expect(await screen.findByText('Misty')).toBeVisible()
    expect(screen.queryByText('Loading…')).toBeNull()
  })

  test('R-8.21 a failed activation is shown in its dialog', async () => {
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { '/devices/7/activate/': respondWith(500) })
    const { user } = await renderAt('/subscriptionSelector', { portal: server, as: 'alice@example.com' })
    const row = (await screen.findByText('New tracker')).closest('li')!
    await user.click(within(row).getByRole('button', { name: 'Activate subscription' }))
    expect(await screen.findByText('The period that came with the tracker starts now and cannot be paused.')).toBeVisible()
    await confirmActivation(user)
    expect(await screen.findByText('Something went wrong, please try again')).toBeVisible()
  })

  test('an account without trackers is led to add one', async () => {
    await using _ = await openAs('dario@example.com', '/subscriptionSelector')
    expect(await screen.findByText('No tracker yet')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Add a tracker' })).toHaveAttribute('href', '/trackers/add')
  })

  test.each(['/subscriptionSelector', '/subscription', '/link_subscription'])(
    'a team member gets a not-found page for %s without a request',
    async (path) => {
      await using page = await openAs('member@pro.example.com', path)
      expect((await screen.findAllByText(/404|introuvable|not found/i))[0]).toBeVisible()
      expect(page.calls.filter((call) => /prices|subscriptions/.test(call.path))).toEqual([])
    },
  )
})
