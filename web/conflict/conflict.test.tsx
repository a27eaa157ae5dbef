import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { storage } from '#web/lib/storage.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'
import { type Conflict, conflict } from './saved-conflict.ts'

const ALICE = 'alice@example.com'
const request = { email: ALICE, reason: 'gift' } as const
const [FREE, LAST, LOCKED, PENDING] = ['8000000001', '8000000002', '8000000003', '8000000004']

const open = async (path: string, known: Conflict | null) => {
  if (known) conflict.save(known)
  const page = await openAs(ALICE, path)
  return {
    ...page,
    click: (name: string) => page.user.click(screen.getByRole('button', { name })),
    posts: () => page.calls.filter(({ method }) => method === 'POST').map((call) => call.path),
  }
}

describe('R-2.35 tracker of another account', () => {
  test.each(['', '-unlink', '-security', '-serial'])('/conflicting%s without a stored conflict links to adding a tracker', async (end) => {
    await using page = await open(`/conflicting${end}`, null)
    expect(await screen.findByText('No tracker chosen')).toBeVisible()
    await page.user.click(screen.getByRole('link', { name: 'Add a tracker' }))
    expect(await screen.findByRole('button', { name: 'Add tracker' })).toBeVisible()
  })

  test('the page offers to unlink the tracker, to contact support and to enter another number', async () => {
    await using page = await open('/conflicting', { identifier: FREE })
    expect(await screen.findByText('80000000-01 is already on another account.')).toBeVisible()
    expect(screen.getByRole('link', { name: /^Contact support/ })).toHaveAttribute('href', '/contact_us')
    expect(screen.getByRole('link', { name: /^Enter another number/ })).toHaveAttribute('href', '/trackers/add')
    await page.user.click(screen.getByRole('link', { name: /^Ask to unlink it/ }))
    expect(await screen.findByRole('heading', { name: 'Unlink a tracker' })).toBeVisible()
  })
})

describe('R-2.36 unlink request', () => {
  const fill = async (page: Awaited<ReturnType<typeof open>>) => {
    await waitFor(() => expect(screen.getByRole('textbox', { name: /^Your e-mail/ })).toHaveValue(ALICE))
    await page.user.selectOptions(screen.getByRole('combobox', { name: /^How did you get/ }), 'I bought it used')
  }
  const ready = () => screen.findByRole('textbox', { name: /^Your e-mail/ })

  test('a sent request shows its reference', async () => {
    await using page = await open('/conflicting-unlink', { identifier: FREE })
    await ready()
    await fill(page)
    await page.user.type(screen.getByRole('textbox', { name: 'Message' }), 'From the flea market')
    await page.click('Send request')
    expect(await screen.findByRole('heading', { name: 'Request sent' })).toBeVisible()
    expect(screen.getByText(/Your request UR-\d{6} is being reviewed. We will reply to alice@example.com./)).toBeVisible()
  })

  test('R-5.6 missing fields are marked without a request', async () => {
    await using page = await open('/conflicting-unlink', { identifier: FREE })
    await ready()
    await page.click('Send request')
    expect(await screen.findByText('Please fill in all fields')).toBeVisible()
    expect(page.posts()).toEqual([])
  })

  test.each([
    [PENDING, /already being reviewed/],
    ['1111111111', /We do not know this tracker/],
  ])('a refused request for %s shows the reason and keeps the input', async (identifier, sentence) => {
    await using page = await open('/conflicting-unlink', { identifier: identifier! })
    await ready()
    await fill(page)
    await page.click('Send request')
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(screen.getByRole('combobox', { name: /^How did you get/ })).toHaveValue('bought_used')
  })

  test('R-2.39 a request for a locked tracker leads to support', async () => {
    await using page = await open('/conflicting-unlink', { identifier: LOCKED! })
    await ready()
    await fill(page)
    await page.click('Send request')
    expect(await screen.findByText('contact support to unlock the tracker')).toBeVisible()
  })

  test('R-7.27 a session that ends midway preserves the tracker and the input', async () => {
    await using page = await open('/conflicting-unlink', { identifier: FREE })
    await ready()
    await fill(page)
    await page.user.type(screen.getByRole('textbox', { name: 'Message' }), 'From the flea market')
    storage.set('token', '0'.repeat(40))
    await page.click('Send request')
    await page.user.type(await screen.findByRole('textbox', { name: /E-mail or username/ }), ALICE)
    await page.user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), 'Demo-1234{Enter}')
    expect(await screen.findByRole('textbox', { name: 'Message' })).toHaveValue('From the flea market')
    expect(screen.getByText(/80000000-01/)).toBeVisible()
    expect(screen.getByRole('combobox', { name: /^How did you get/ })).toHaveValue('bought_used')
    expect(screen.getByRole('textbox', { name: /^Your e-mail/ })).toHaveValue(ALICE)
  })

  test.each([
    ['400', 400, '{"detail":"The S/N number identification has failed","remaining_attempts":1}'],
    ['400 in an envelope', 400, '{"success":false,"data":{"attemptsLeft":"1"}}'],
    ['403', 403, '{"errors":[{"detail":"No."}],"remaining_attempts":1}'],
  ])("R-8.10 the remaining attempts in another backend's rejection with %s are shown", async (_, status, body) => {
    await using portal = await startSyncedPortal()
    conflict.save({ identifier: FREE })
    const server = withFaults(portal, { '/devices/trackers/unlink_request/': respondWith(status, body) })
    const { user } = await renderAt('/conflicting-unlink', { portal: server, as: ALICE })
    await waitFor(() => expect(screen.getByRole('textbox', { name: /^Your e-mail/ })).toHaveValue(ALICE))
    await user.selectOptions(screen.getByRole('combobox', { name: /^How did you get/ }), 'I bought it used')
    await user.click(screen.getByRole('button', { name: 'Send request' }))
    expect(await screen.findByText('The S/N number identification has failed – You have 1 remaining attempt(s)')).toBeVisible()
  })

  test('R-2.39 a rejection of another backend without attempts left leads to support', async () => {
    await using portal = await startSyncedPortal()
    conflict.save({ identifier: FREE })
    const locked = respondWith(403, '{"detail":"This tracker is locked.","remaining_attempts":0}')
    const server = withFaults(portal, { '/devices/trackers/unlink_request/': locked })
    const { user } = await renderAt('/conflicting-unlink', { portal: server, as: ALICE })
    await waitFor(() => expect(screen.getByRole('textbox', { name: /^Your e-mail/ })).toHaveValue(ALICE))
    await user.selectOptions(screen.getByRole('combobox', { name: /^How did you get/ }), 'I bought it used')
    await user.click(screen.getByRole('button', { name: 'Send request' }))
    expect(await screen.findByText('No remaining attempt')).toBeVisible()
    expect(storage.get('token')).not.toBeNull()
  })

  test('R-2.37 a request with proof continues to the security check', async () => {
    await using page = await open('/conflicting-unlink', { identifier: FREE })
    await ready()
    await fill(page)
    await page.click('Prove that it is yours')
    expect(await screen.findByRole('heading', { name: 'Security check' })).toBeVisible()
    expect(page.posts()).toEqual([])
    expect(conflict.read()).toEqual({ identifier: FREE, request: { email: ALICE, reason: 'bought_used' } })
  })
})

describe('R-2.37 security check', () => {
  test('the security check requires the request first', async () => {
    await using _page = await open('/conflicting-security', { identifier: FREE })
    expect(await screen.findByRole('heading', { name: 'Unlink a tracker' })).toBeVisible()
  })

  test('a proof of purchase needs at least one field and is sent with the request', async () => {
    await using page = await open('/conflicting-security', { identifier: FREE, request })
    await screen.findByRole('heading', { name: 'Send a proof of purchase' })
    await page.click('Send request')
    expect(await screen.findByText('Fill in at least one of these fields')).toBeVisible()
    await page.user.type(screen.getByRole('textbox', { name: 'Order number' }), 'A-17')
    await page.click('Send request')
    expect(await screen.findByRole('heading', { name: 'Request sent' })).toBeVisible()
  })

  test('the security check links to the S/N check', async () => {
    await using page = await open('/conflicting-security', { identifier: FREE, request })
    await page.user.click(await screen.findByRole('link', { name: /^Check the S\/N/ }))
    expect(await screen.findByText('You have 3 remaining attempt(s)')).toBeVisible()
  })
})

describe('R-2.38 S/N check', () => {
  const enter = async (page: Awaited<ReturnType<typeof open>>, serial: string) => {
    const field = await screen.findByRole('textbox', { name: /^S\/N/ })
    await page.user.clear(field)
    await page.user.type(field, serial)
    await page.click('Check S/N')
  }

  test('the correct S/N gets the request accepted, and the tracker can be added', async () => {
    await using page = await open('/conflicting-serial', { identifier: FREE, request })
    await enter(page, 'victor-000 001')
    expect(await screen.findByRole('heading', { name: 'Tracker unlinked' })).toBeVisible()
    await page.user.click(screen.getByRole('link', { name: 'Add it now' }))
    expect(await screen.findByRole('textbox', { name: /^Identifier/ })).toHaveValue('80000000-01')
    await page.user.type(screen.getByLabelText(/^Name/), 'Mine again')
    await page.user.click(screen.getByRole('radio', { name: 'Bike' }))
    await page.click('Add tracker')
    await waitFor(async () => {
      const { body } = await page.portal.call(ALICE, 'GET', '/devices/?type=tracker')
      expect(body.some(({ name }: { name: string }) => name === 'Mine again')).toBe(true)
    })
    await waitFor(() => expect(conflict.read()).toBeNull())
  })

  test('R-8.7 a malformed S/N costs no attempt and sends no request', async () => {
    await using page = await open('/conflicting-serial', { identifier: FREE, request })
    await enter(page, 'SHORT')
    expect(await screen.findByText('The entered S/N number is invalid!')).toBeVisible()
    expect(screen.getByText('You have 3 remaining attempt(s)')).toBeVisible()
    expect(page.posts()).toEqual([])
  })

  test('R-8.8 R-8.10 a wrong S/N costs an attempt', async () => {
    await using page = await open('/conflicting-serial', { identifier: FREE, request })
    await enter(page, 'VICTOR000009')
    expect(await screen.findByText('The S/N number identification has failed')).toBeVisible()
    expect(await screen.findByText('You have 2 remaining attempt(s)')).toBeVisible()
  })

  test('R-8.9 R-4.28 the last wrong S/N locks the tracker and leads to support', async () => {
    await using page = await open('/conflicting-serial', { identifier: LAST!, request })
    expect(await screen.findByText('You have 1 remaining attempt(s)')).toBeVisible()
    await enter(page, 'VICTOR000009')
    expect(await screen.findByText('No remaining attempt')).toBeVisible()
    expect(screen.getByText('contact support to unlock the tracker')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Contact support' })).toHaveAttribute('href', '/contact_us')
  })

  test('R-2.39 a locked tracker is not asked for its S/N', async () => {
    await using _page = await open('/conflicting-serial', { identifier: LOCKED!, request })
    expect(await screen.findByRole('heading', { name: 'The S/N number identification has failed' })).toBeVisible()
  })

  test('a tracker entered by its S/N is asked for its ID, by which attempts are counted', async () => {
    await using page = await open('/conflicting-serial', { serial: 'VICTOR000001', request })
    await page.user.type(await screen.findByRole('textbox', { name: /^Identifier/ }), '123')
    await page.click('Continue')
    expect(await screen.findByText('Invalid ID')).toBeVisible()
    await page.user.clear(screen.getByRole('textbox', { name: /^Identifier/ }))
    await page.user.type(screen.getByRole('textbox', { name: /^Identifier/ }), '80000000-01')
    await page.click('Continue')
    expect(await screen.findByText('You have 3 remaining attempt(s)')).toBeVisible()
  })

  test('attempts that cannot be loaded show an error and can be retried', async () => {
    conflict.save({ identifier: FREE, request })
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { '/devices/trackers/serial_check/': respondWith(500) })
    const { user } = await renderAt('/conflicting-serial', { portal: server, as: ALICE })
    expect(await screen.findByText('We could not load this.')).toBeVisible()
    server.mend()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('You have 3 remaining attempt(s)')).toBeVisible()
  })
})
