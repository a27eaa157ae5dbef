import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { submitPayment } from '#server/billing/subscriptions/test-purchase.ts'
import { browser } from '#web/billing/provider-page.ts'
import { log } from '#web/lib/log.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { forgiven } from '#web/test/habits.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { stopSales } from '#web/test/stop-sales.ts'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

afterEach(() => {
  vi.restoreAllMocks()
  Reflect.deleteProperty(window, 'Stripe')
})

/** Replaces the loading of scripts, and lists their addresses. */
function loadScripts(run: () => void) {
  const scripts: string[] = []
  vi.spyOn(document.head, 'append').mockImplementation((node) => {
    if (!(node instanceof HTMLScriptElement)) return
    scripts.push(node.src)
    run()
    node.onload?.(new Event('load'))
  })
  return scripts
}

const leaving = () => vi.spyOn(browser, 'goTo').mockImplementation(() => {})
const pay = () => screen.findByRole('button', { name: 'Pay by card' })
const summary = () => within(screen.getByRole('region', { name: 'Summary' }))
const text = (element: HTMLElement | null | undefined) => element?.textContent?.replace(/\s+/g, ' ')

describe('plans of a tracker', () => {
  test("R-2.10 R-4.24 R-9.14 R-9.16 plans are shown in the account's currency with monthly and yearly prices and the new end date, the first one selected", async () => {
    await using page = await openAs('alice@example.com', '/subscription?devices=2')
    expect(await screen.findByRole('heading', { name: 'Extend Misty' })).toBeVisible()
    const plans = screen.getAllByRole('radio')
    expect(plans).toHaveLength(5)
    expect(plans[0]).toBeChecked()
    expect(text(plans[0]!.closest('label'))).toBe('1 monthmonthly · Renews on Apr 14, 2026€1.99€23.88 a year')
    expect(text(plans.at(-1)!.closest('label'))).toBe(
      '2 years + 1 month freeevery 2 years · Renews on Apr 14, 2028Save 48%Cheapest per month€24.90€1.04 a month€12.45 a year',
    )
    expect(text(plans[3]!.closest('label'))).toContain('one-time · Ends on Mar 14, 2027Save 29%€16.95')
    await page.user.click(plans[2]!)
    expect(summary().getByText(/Active until Mar 14, 2027/)).toBeVisible()
    expect(screen.queryByText('Tax not included')).toBeNull()
  })

  test('R-9.18 R-4.25 the care option can be added once and removed, and counts in the total', async () => {
    await using page = await openAs('alice@example.com', '/subscription?devices=2')
    expect(await screen.findByText('50% off one device replacement, no time limit')).toBeVisible()
    await page.user.click(screen.getByRole('button', { name: 'Add: Care' }))
    expect(summary().getByText('€11.89')).toBeVisible()
    await page.user.click(screen.getByRole('button', { name: 'Remove: Care' }))
    expect(summary().queryByText('€11.89')).toBeNull()
  })

  test('R-3.74 prices without tax are marked', async () => {
    await using _ = await openAs('usha@example.com', '/subscription')
    expect(await screen.findByText('Tax not included')).toBeVisible()
  })

  test('R-9.13 prices in yen have no decimals, prices in forints are whole', async () => {
    await using portal = await startSyncedPortal()
    await portal.call('george@example.com', 'PATCH', '/users/settings/', { currency: 'jpy' })
    await renderAt('/subscription', { portal, as: 'george@example.com', languages: ['en'] })
    expect(text((await screen.findAllByRole('radio'))[1]!.closest('label'))).toContain('¥2,500¥208 a month')
    await portal.call('george@example.com', 'PATCH', '/users/settings/', { currency: 'huf' })
    cleanup()
    await renderAt('/subscription', { portal, as: 'george@example.com', languages: ['en'] })
    expect(text((await screen.findAllByRole('radio'))[1]!.closest('label'))).toContain('HUF 5,990HUF 499 a month')
  })

  const priceList = (...prices: object[]) => ({
    '/users/settings/': respondWith(200, '{"firstname":"A","lastname":"B","birthday":null}'),
    '/users/tracker_prices': respondWith(200, JSON.stringify(prices)),
  })

  test('prices are in the currency of a running subscription, which a note explains, also after the account has chosen another one', async () => {
    await using portal = await startSyncedPortal()
    await portal.call('alice@example.com', 'PATCH', '/users/settings/', { currency: 'usd' })
    await renderAt('/subscription?devices=2', { portal, as: 'alice@example.com', languages: ['en'] })
    expect(text((await screen.findAllByRole('radio'))[0]!.closest('label'))).toContain('€1.99')
    expect(screen.getByText(/One of your subscriptions is charged in EUR/)).toBeVisible()
    cleanup()
    await renderAt('/subscriptionSelector', { portal, as: 'alice@example.com', languages: ['en'] })
    expect(await screen.findByText(/One of your subscriptions is charged in EUR/)).toBeVisible()
  })

  test("settings without a currency use that of the browser's region, and a Stripe price is a plan", async () => {
    const recurring = { interval: 'year', interval_count: 1 }
    const dollars = { id: 'price_usd', type: 'recurring', currency: 'usd', unit_amount: 5988, recurring, metadata: {} }
    const pounds = { ...dollars, id: 'price_gbp', currency: 'GBP', unit_amount: 4788, metadata: { months: '12' } }
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, priceList(dollars, pounds))
    await renderAt('/subscription?devices=2', { portal: server, as: 'alice@example.com', languages: ['en-GB'] })
    const [plan, ...others] = await screen.findAllByRole('radio')
    expect(others).toEqual([])
    expect(text(plan!.closest('label'))).toBe('1 yearyearly · Renews on 14 Mar 2027£47.88£3.99 a month')
    expect(summary().getByText(/Renews on that day/)).toBeVisible()
    forgiven.splice(0)
  })

  test('facts missing in a price are not shown: no tax, no renewal, no end', async () => {
    const unknown = { id: 'price_1', currency: 'eur', unit_amount: 1490, product: { name: 'Basic' } }
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, priceList(unknown, { ...unknown, id: 'price_2', unit_amount: 2490, duration: 24 }))
    await renderAt('/subscription?devices=2', { portal: server, as: 'alice@example.com' })
    const plans = await screen.findAllByRole('radio')
    expect(plans.map((plan) => text(plan.closest('label')))).toEqual([
      'Basic€14.90',
      '2 yearsActive until Mar 14, 2028€24.90€1.04 a month€12.45 a year',
    ])
    expect(text(screen.getByRole('region', { name: 'Summary' }))).not.toMatch(/Active until|renew|tax|one-time/i)
    forgiven.splice(0)
  })

  test('prices of which none is a plan are listed in the console', async () => {
    const told = vi.spyOn(log, 'failure').mockImplementation(() => {})
    await using portal = await startSyncedPortal()
    const option = { id: 'price_1', type: 'option', currency: 'eur', unit_amount: 4788, recurring: null, metadata: { months: '12' } }
    await renderAt('/subscription', { portal: withFaults(portal, priceList(option)), as: 'alice@example.com' })
    expect(await screen.findByText('No subscription available for that currency.')).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Account settings' })).toBeNull()
    expect(told).toHaveBeenCalledWith('No price is a plan', [expect.objectContaining({ id: 'price_1' })])
    forgiven.splice(0)
  })

  test('R-8.19 a currency without plans shows that nothing is sold', async () => {
    await using portal = await startSyncedPortal()
    await stopSales(portal, 'chf')
    await renderAt('/subscription', { portal, as: 'erika@example.com' })
    expect(await screen.findByText('No subscription available for that currency.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Account settings' })).toBeVisible()
  })

  test.each([
    ['Company van', 14, /linked to a pro account/],
    ['Rex', 1, /renews automatically/],
    ['New tracker', 7, /Activate it first/],
  ])('R-6.6 nothing can be bought for %s, and the reason is shown', async (_, id, why) => {
    await using page = await openAs('alice@example.com', `/subscription?devices=${id}`)
    expect(await screen.findByText(why)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Pay by card' })).toBeNull()
    expect(page.calls.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test('without a tracker in the URL one is chosen first, and the selected plan stays', async () => {
    await using page = await openAs('alice@example.com', '/subscription')
    expect((await screen.findAllByRole('radio'))[0]).toBeChecked()
    await page.user.click(screen.getAllByRole('radio')[2]!)
    expect(summary().getAllByText('€14.95')).toHaveLength(2)
    expect(await pay()).toBeDisabled()
    expect(await pay()).toHaveAccessibleDescription('Choose a tracker to see when the plan ends and to pay.')
    await page.user.selectOptions(screen.getByRole('combobox', { name: /Tracker/ }), 'Misty')
    expect(await screen.findByRole('heading', { name: 'Extend Misty' })).toBeVisible()
    expect(screen.getAllByRole('radio')[2]).toBeChecked()
  })

  test('R-2.12 R-9.19 R-9.20 R-9.21 the page about the price increase is linked and leads back', async () => {
    await using page = await openAs('alice@example.com', '/subscription?devices=2')
    await page.user.click(await screen.findByRole('link', { name: 'Why prices have changed' }))
    expect(await screen.findByText('The prices of the 1-year and 2-year plans were raised.')).toBeVisible()
    expect(screen.getByText(/3-year plan, which was €9.95 per year/)).toBeVisible()
    await page.user.click(screen.getByRole('link', { name: 'Continue' }))
    expect(await screen.findByRole('heading', { name: 'Extend Misty' })).toBeVisible()
  })
})

test("R-9.21 the old price is formatted for the user's language", async () => {
  await using portal = await startSyncedPortal()
  await renderAt('/subscription?message=price_increase', { portal, as: 'bruno@example.com', languages: ['fr'] })
  expect(text(await screen.findByText(/9,95/))).toContain('9,95 €')
})

describe('payment', () => {
  test('R-1.17 R-1.19 R-7.17 a double click opens one checkout, and after payment the subscription is extended', async () => {
    const goTo = leaving()
    await using portal = await startSyncedPortal()
    const as = { portal, as: 'alice@example.com', config: { payments: { origins: ['http://portal.test'] } } }
    const page = await renderAt('/subscription?devices=2.eur-12m-once&options=2.eur-care', as)
    await page.user.dblClick(await pay())
    await waitFor(() => expect(goTo).toHaveBeenCalledOnce())
    expect(await pay()).toBeDisabled()
    expect(page.calls.filter(({ path }) => path === '/users/payment_session/')).toHaveLength(1)
    const session = new URL(goTo.mock.calls[0]![0]).pathname.split('/').at(-1)!
    const { headers } = await submitPayment(portal, session)
    const back = new URL(String(headers.location))
    page.unmount()
    await renderAt(back.pathname + back.search, as)
    expect(await screen.findByText('Thank you, your payment has arrived')).toBeVisible()
    await waitFor(() => expect(screen.getByText(/Active until Mar 14, 2027/)).toHaveTextContent('Misty: Active until Mar 14, 2027'))
    expect(await screen.findByRole('button', { name: /^Download invoice INV-\d+ as PDF$/ })).toHaveTextContent('Invoice')
    expect(screen.getByText(/^€\d+\.\d\d paid, invoice INV-\d+$/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Show Misty' })).toHaveAttribute('href', expect.stringMatching(/\/trackers\/2$/))
  })

  test('a cancelled payment is reported as not charged and keeps the selection', async () => {
    await using _ = await openAs('alice@example.com', '/subscription?checkout=cancel&devices=2.eur-24m&options=2.eur-care')
    expect(await screen.findByText('The payment was cancelled. Nothing was charged.')).toBeVisible()
    expect(screen.getAllByRole('radio')[4]).toBeChecked()
    expect(screen.getByRole('button', { name: 'Remove: Care' })).toBeVisible()
  })

  test.each([
    [500, '{}', 'The payment could not be started. Nothing was charged, please try again.'],
    [409, '{"code":"recurring_active","detail":""}', 'This subscription renews automatically, so nothing can be bought on top of it.'],
    [
      200,
      '{"public_key":"pk","id":"cs","url":"https://evil.example/pay"}',
      'The payment could not be started. Nothing was charged, please try again.',
    ],
  ])('R-7.17 a checkout response of %s %s shows an error and stays on the page', async (status, body, sentence) => {
    const goTo = leaving()
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { '/users/payment_session/': respondWith(status, body) })
    const { user } = await renderAt('/subscription?devices=2', { portal: server, as: 'alice@example.com' })
    await user.click(await pay())
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(await pay()).toBeEnabled()
    expect(goTo).not.toHaveBeenCalled()
  })

  test.each([
    ['a version that has it', '{"public_key":"pk_1","id":"cs_1"}', undefined, 'https://js.stripe.com/basil/stripe.js'],
    [
      'the configured version',
      '{"publishableKey":"pk_1","sessionId":"cs_1"}',
      { stripeJs: 'https://pay.example/s.js' },
      'https://pay.example/s.js',
    ],
  ])('a checkout session without a URL is opened by Stripe.js in %s, and the console says why', async (_, body, payments, src) => {
    const told = vi.spyOn(log, 'failure').mockImplementation(() => {})
    const redirectToCheckout = vi.fn(async () => ({}))
    const stripe = vi.fn(() => ({ redirectToCheckout }))
    const scripts = loadScripts(() => Object.assign(window, { Stripe: stripe }))
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { '/users/payment_session/': respondWith(200, body) })
    const config = payments && { payments }
    const { user } = await renderAt('/subscription?devices=2', { portal: server, as: 'alice@example.com', ...(config && { config }) })
    await user.click(await pay())
    await waitFor(() => expect(redirectToCheckout).toHaveBeenCalledExactlyOnceWith({ sessionId: 'cs_1' }))
    expect(stripe).toHaveBeenCalledExactlyOnceWith('pk_1')
    expect(scripts).toEqual([src])
    expect(told.mock.calls.filter(([what]) => what.includes('has no url'))).toEqual([[expect.stringContaining('payments.stripeJs'), src]])
    forgiven.splice(0)
  })

  test('a Stripe.js that opens no checkout is reported to the user, and named in the console', async () => {
    const told = vi.spyOn(log, 'failure').mockImplementation(() => {})
    loadScripts(() => Object.assign(window, { Stripe: () => ({}) }))
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { '/users/payment_session/': respondWith(200, '{"public_key":"pk_1","id":"cs_1"}') })
    const config = { payments: { stripeJs: 'https://js.stripe.com/clover/stripe.js' } }
    const { user } = await renderAt('/subscription?devices=2', { portal: server, as: 'alice@example.com', config })
    await user.click(await pay())
    expect(await screen.findByText('The payment could not be started. Nothing was charged, please try again.')).toBeVisible()
    expect(told).toHaveBeenCalledWith(
      'The checkout cannot be opened',
      new Error('https://js.stripe.com/clover/stripe.js has no redirectToCheckout'),
    )
  })

  test('without trackers in the URL the return page does not claim that the payment arrived', async () => {
    await using _ = await openAs('alice@example.com', '/subscription?checkout=success')
    expect(await screen.findByText(/^There is no need to pay again\./)).toBeVisible()
    expect(screen.queryByText('Thank you, your payment has arrived')).toBeNull()
  })

  test('the return page polls ten times every two seconds, then reports a delay', async () => {
    const real = globalThis.setInterval
    const quick = (run: () => void, ms?: number) => real(run, ms === 2000 ? 50 : ms)
    vi.spyOn(globalThis, 'setInterval').mockImplementation(quick as typeof setInterval)
    await using portal = await startSyncedPortal()
    const held = (await portal.call('alice@example.com', 'GET', '/users/subscriptions/')).body as { id: number; device: number }[]
    const before = held.find(({ device }) => device === 2)?.id
    const page = await renderAt(`/subscription?checkout=success&before=${before}&devices=2`, { portal, as: 'alice@example.com' })
    expect(await screen.findByText('Waiting for the confirmation of your payment…')).toBeVisible()
    expect(await screen.findByText('The confirmation takes longer than usual')).toBeVisible()
    expect(page.calls.filter(({ path }) => path === '/users/subscriptions/')).toHaveLength(10)
    expect(screen.getByRole('button', { name: 'Check again' })).toBeVisible()
  })
})

test.each([
  ['the checkout of a plan', '/subscription?devices=2', 'Pay by card', '/users/payment_session/'],
  ['the cards at the provider', '/payment_methods', /Add a card/, '/users/portal/'],
])('a double click on the button for %s sends one request', async (_, path, name, call) => {
  leaving()
  await using page = await openAs('alice@example.com', path, { payments: { origins: ['http://portal.test'] } })
  const button = await screen.findByRole('button', { name })
  act(() => {
    button.click()
    button.click()
  })
  await waitFor(() => expect(browser.goTo).toHaveBeenCalled())
  expect(page.calls.filter(({ method, path: to }) => method === 'POST' && to.startsWith(call))).toHaveLength(1)
})
