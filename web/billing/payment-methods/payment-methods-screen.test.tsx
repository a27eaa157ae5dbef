import { waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { browser } from '#web/billing/provider-page.ts'
import { forgiven, withHabit } from '#web/test/habits.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const plain = (element: HTMLElement) => element.textContent.replace(/\s+/g, ' ')
const open = async (as = 'alice@example.com') => {
  const page = await openAs(as, '/payment_methods')
  const cards = () => within(page.screen.getByRole('main')).queryAllByRole('listitem').map(plain)
  return { ...page, cards }
}

test('R-2.73 R-3.81 cards are listed by brand, last digits and expiry, default card first', async () => {
  await using page = await open()
  await page.screen.findByText('Visa •••• 4242')
  expect(page.cards()).toEqual(['Visa •••• 4242Valid until 05/2028Default card', 'Mastercard •••• 4444Valid until 08/2027Make default'])
})

test('R-2.73 R-4.26 an expired card is marked, and a failed last invoice shows a warning', async () => {
  await using page = await open('bruno@example.com')
  await page.screen.findByText('Visa •••• 0341')
  expect(page.cards()).toEqual(['Visa •••• 0341Valid until 01/2026Default cardExpired'])
  expect(await page.screen.findByText(/^Warning: your last invoice could not be debited/)).toBeVisible()
})

test('a card whose expiry is not known shows a dash and is not expired', async () => {
  await using portal = await startSyncedPortal()
  const server = withHabit(portal, (json) => json.replace(/"exp_(month|year)":\d+,/g, ''), String)
  const page = await renderAt('/payment_methods', { portal: server, as: 'bruno@example.com' })
  const card = await page.screen.findByText('Visa •••• 0341')
  expect(plain(card.closest('li')!)).toBe('Visa •••• 0341Valid until –Default card')
  forgiven.splice(0)
})

test('another card can be made the default, and the change undone', async () => {
  await using page = await open()
  await page.user.click(await page.screen.findByRole('button', { name: 'Make default: Mastercard •••• 4444' }))
  expect(await page.screen.findByText('Mastercard •••• 4444 is now the default card.')).toBeVisible()
  await waitFor(() => expect(page.cards()[0]).toMatch(/^Mastercard .*Default card$/))
  await page.user.click(page.screen.getByRole('button', { name: 'Undo' }))
  expect(await page.screen.findByText('Visa •••• 4242 is now the default card.')).toBeVisible()
  await waitFor(() => expect(page.cards()[0]).toMatch(/^Visa .*Default card$/))
})

test('a card is deleted after a confirmation', async () => {
  await using page = await open()
  await page.user.click(await page.screen.findByRole('button', { name: 'Delete: Mastercard •••• 4444' }))
  await page.user.click(within(await page.screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  expect(await page.screen.findByText('Mastercard •••• 4444 has been deleted.')).toBeVisible()
  await waitFor(() => expect(page.cards()).toHaveLength(1))
})

test('deleting the card of a recurring subscription is refused with a reason', async () => {
  await using page = await open()
  await page.user.click(await page.screen.findByRole('button', { name: 'Delete: Visa •••• 4242' }))
  const dialog = within(await page.screen.findByRole('dialog'))
  await page.user.click(dialog.getByRole('button', { name: 'Delete' }))
  expect(await dialog.findByText(/^This is the default card, and it pays for a subscription that renews automatically\./)).toBeVisible()
})

test('R-8.28 R-7.11 an account without a card sees an empty state', async () => {
  await using page = await open('dario@example.com')
  expect(await page.screen.findByText('No payment method available')).toBeVisible()
})

test('R-7.11 a configured provider origin is opened, any other is not', async () => {
  const goTo = vi.spyOn(browser, 'goTo').mockImplementation(() => {})
  await using portal = await startSyncedPortal()
  const add = async (origins: string[]) => {
    const page = await renderAt('/payment_methods', { portal, as: 'dario@example.com', config: { payments: { origins } } })
    await page.user.click(await page.screen.findByRole('button', { name: 'Add a card' }))
    return page
  }
  const astray = await add(['https://pay.example'])
  expect(await astray.screen.findByText('Something went wrong, please try again')).toBeVisible()
  expect(goTo).not.toHaveBeenCalled()
  astray.unmount()
  await add(['http://portal.test'])
  await expect.poll(() => goTo).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^http:\/\/portal\.test\//))
})

test('support gets a not-found page without a request', async () => {
  await using page = await open('support@example.com')
  expect(await page.screen.findByText('Page not found')).toBeVisible()
  expect(page.calls.filter(({ path }) => path.startsWith('/users/payment_methods'))).toEqual([])
})
