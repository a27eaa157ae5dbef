import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

const again = () => screen.findByRole('button', { name: 'Send again' })

test.each(['/account_email', '/account_email_sent'])('R-2.22 %s shows the address and sends the e-mail again', async (path) => {
  await using page = await openAs('chloe@example.com', path)
  expect(await screen.findByText(/We sent a link to chloe@example\.com/)).toBeVisible()
  await page.user.click(await again())
  expect(await screen.findByText('A new e-mail is on its way.')).toBeVisible()
  expect(page.calls.filter(({ method }) => method === 'PATCH').map(({ path }) => path)).toEqual(['/users/me/'])
  const { body } = await page.portal.call(null, 'GET', '/mock/mail?to=chloe@example.com', undefined, { host: 'localhost' })
  expect(body.filter(({ template }: { template: string }) => template === 'confirm_email')).not.toEqual([])
})

test('R-2.22 each e-mail is confirmed with its own time', async () => {
  await using page = await openAs('chloe@example.com', '/account_email')
  const time = () => screen.getByRole('time').textContent
  await page.user.click(await again())
  await screen.findByText('A new e-mail is on its way.')
  const first = time()
  expect(first).toMatch(/:\d\d:\d\d/)
  page.portal.clock.set({ at: new Date(page.portal.clock.now().getTime() + 60_000) })
  await page.user.click(await again())
  await waitFor(() => expect(screen.queryByRole('time')).toBeInTheDocument())
  expect(time()).not.toBe(first)
})

test('R-2.22 a sixth e-mail within an hour is refused', async () => {
  await using page = await openAs('chloe@example.com', '/account_email')
  for (let time = 0; time < 5; time++) await page.portal.call('chloe@example.com', 'PATCH', '/users/me/', { send_email_confirmation: true })
  await page.user.click(await again())
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Too many e-mails in a short time.'))
  expect(await again()).toBeEnabled()
})

test('R-8.30 an e-mail that was not sent is reported and can be retried', async () => {
  await using portal = await startPortal()
  const { user } = await renderAt('/account_email', { portal: faultyPatch(portal), as: 'chloe@example.com' })
  await user.click(await again())
  expect(await screen.findByText('Something went wrong, please try again')).toBeVisible()
})

test('a user whose address is confirmed cannot send another e-mail', async () => {
  await using page = await openAs('alice@example.com', '/account_email')
  expect(await screen.findByRole('heading', { name: 'Your e-mail address is already confirmed' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Send again' })).toBeNull()
  await page.user.click(screen.getByRole('link', { name: 'Go to your trackers' }))
  await waitFor(() => expect(window.location.pathname).toBe('/'))
})

/** Makes reads succeed and sending fail. */
function faultyPatch(portal: Awaited<ReturnType<typeof startPortal>>) {
  const broken = withFaults(portal, { '/users/me/': respondWith(500) })
  const fetch: typeof globalThis.fetch = (input, init) => (init?.method === 'PATCH' ? broken.fetch(input, init) : portal.fetch(input, init))
  return { fetch, token: portal.token }
}
