import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { type Fault, lostResponse, noResponse } from '#web/test/faults.ts'
import { forgiven } from '#web/test/habits.ts'
import { openAs } from '#web/test/open-as.tsx'

const CALL = '/devices/15/activate_subscription/'

const open = async (path = '/link_subscription', fault?: Fault) => {
  const page = await openAs('alice@example.com', path, {}, fault && { [CALL]: fault })
  const code = await screen.findByRole('textbox', { name: /Verification code/ })
  const submit = () => page.user.click(screen.getByRole('button', { name: 'Link subscription' }))
  const choose = (name: string) => page.user.selectOptions(screen.getByRole('combobox', { name: /Tracker/ }), name)
  const sent = () => page.calls.filter(({ path: asked }) => asked.includes('activate_subscription'))
  return { ...page, code, submit, choose, sent }
}

test('R-1.18 R-2.13 R-2.14 the code from the URL is sent once on submit, and the next page shows the new end date', async () => {
  await using page = await open('/link_subscription?code=link-2026')
  await page.choose('Kitchen')
  expect(page.sent()).toEqual([])
  await page.submit()
  expect(await screen.findByRole('heading', { name: 'Subscription linked' })).toBeVisible()
  expect(page.sent().map(({ path }) => path)).toEqual(['/devices/15/activate_subscription/?code=link-2026'])
  expect(screen.getByRole('status')).toHaveTextContent(/Kitchen.*Active until/)
  expect(screen.getByRole('link', { name: 'Kitchen' })).toHaveAttribute('href', '/trackers/15')
})

test('a code is sent as typed, because only the backend knows the form of its codes', async () => {
  await using page = await open('/link_subscription', () => Response.json({ detail: 'unknown' }, { status: 400 }))
  await page.choose('Kitchen')
  await page.user.type(page.code, ' ab-C1 2 ')
  await page.submit()
  await waitFor(() => expect(page.sent().map(({ path }) => path)).toEqual([`${CALL}?code=ab-C1+2`]))
})

test.each([400, 404])(
  'a rejection with %i and no code of the contract says that the code is not linked to any subscription',
  async (status) => {
    await using page = await open('/link_subscription?code=LINK2026', () => Response.json({ detail: 'No such voucher' }, { status }))
    await page.choose('Kitchen')
    await page.submit()
    expect(await screen.findByText('No subscription linked to the code: enter a valid code.')).toBeVisible()
  },
)

describe('a linked code whose response cannot be read', () => {
  test.each<[string, Fault]>([
    ['gets lost', lostResponse],
    ['has a text only', (serve) => serve().then(() => Response.json({ detail: 'ok' }))],
    ['is empty', (serve) => serve().then(() => new Response(null, { status: 204 }))],
  ])('when the response %s, the code is sent once, and the new end is that of the list', async (_, fault) => {
    await using page = await open('/link_subscription?code=LINK2026', fault)
    await page.choose('Kitchen')
    await page.submit()
    expect(await screen.findByRole('heading', { name: 'Subscription linked' })).toBeVisible()
    expect(screen.getByRole('status')).toHaveTextContent(/Kitchen.*Active until/)
    expect(page.sent()).toHaveLength(1)
    forgiven.splice(0)
  })

  test('a code that never reached the server is not sent again, and is not shown as linked', async () => {
    await using page = await open('/link_subscription?code=LINK2026', noResponse)
    await page.choose('Kitchen')
    await page.submit()
    expect(await screen.findByRole('alert')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Link subscription' })).toBeEnabled()
    expect(page.sent()).toHaveLength(1)
  })
})

test.each(['NOSUB000', 'UNKNOWN1'])('R-8.20 the code %s is reported as not linked to any subscription', async (code) => {
  await using page = await open(`/link_subscription?code=${code}`)
  await page.choose('Kitchen')
  await page.submit()
  expect(await screen.findByText('No subscription linked to the code: enter a valid code.')).toBeVisible()
  expect(page.code).toHaveValue(code)
  expect(page.sent()).toHaveLength(1)
})

test('R-5.6 a missing tracker or code is rejected without a request', async () => {
  await using page = await open()
  await page.submit()
  expect(await screen.findByText('Please fill in all fields')).toBeVisible()
  await page.choose('Kitchen')
  await page.user.type(page.code, '  ')
  await page.submit()
  await waitFor(() => expect(page.code).toBeInvalid())
  expect(page.sent()).toEqual([])
})

test('R-6.6 R-6.7 a tracker of a pro account is refused with a link to support', async () => {
  await using page = await open('/link_subscription?code=LINK2026')
  await page.choose('Company van')
  await page.submit()
  expect(await screen.findByText(/linked to a pro account/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Contact us' })).toHaveAttribute('href', '/contact_us')
})

test('R-2.14 the success page without a linked code leads back to the form', async () => {
  await using _ = await openAs('alice@example.com', '/link_subscription_success')
  expect(await screen.findByRole('link', { name: 'Link a subscription' })).toHaveAttribute('href', '/link_subscription')
})

test('an account without trackers is asked to add one first', async () => {
  await using _ = await openAs('dario@example.com', '/link_subscription')
  expect(await screen.findByText('No tracker yet')).toBeVisible()
})
