import type { Page } from '@playwright/test'
import { alice, empty, press, type Screen } from './screen.ts'

/** Reloads the screen with a failing server. */
const refuse = (calls: string) => async (page: Page) => {
  await page.route(calls, (route) => route.fulfill({ status: 500, body: '' }))
  await page.reload()
}

export const money: Screen[] = [
  alice('subscriptionSelector', '/subscriptionSelector'),
  empty('subscriptionSelector', '/subscriptionSelector'),
  alice('subscription', '/subscription?devices=2'),
  alice('subscription', '/subscription?devices=14', { state: 'pro' }),
  { name: 'subscription', path: '/subscription?devices=42', as: 'usha', state: 'usd' },
  { name: 'subscription', path: '/subscription?devices=43', as: 'erika', state: 'chf' },
  alice('subscription', '/subscription', { state: 'which' }),
  alice('subscription', '/subscription?message=price_increase', { state: 'increase' }),
  alice('linkSubscription', '/link_subscription?code=LINK2026'),
  alice('linkSubscriptionSuccess', '/link_subscription_success'),
  alice('orders', '/orders'),
  empty('orders', '/orders'),
  alice('orders', '/orders', { state: 'failed', act: refuse('**/users/orders/**'), ready: 'main [role="alert"]', fails: true }),
  alice('order', '/orders/ORD-1001'),
  alice('order', '/orders/ORD-9', { state: 'unknown', fails: true }),
  alice('invoices', '/invoices'),
  { name: 'invoices', path: '/invoices', as: 'bruno', state: 'failed' },
  { name: 'invoices', path: '/invoices', as: 'bruno', state: 'pay', act: press('purchases.payInvoice') },
  empty('invoices', '/invoices'),
  alice('paymentMethods', '/payment_methods'),
  { name: 'paymentMethods', path: '/payment_methods', as: 'bruno', state: 'expired' },
  empty('paymentMethods', '/payment_methods'),
]
