import { screen, waitFor, within } from '@testing-library/react'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { FEATURES, OPTIONAL } from '#contracts/reader/features.ts'
import { stockItems } from '#db/schema/devices.ts'
import { conflict } from '#web/conflict/saved-conflict.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

type Typed = { identifier?: string; serial?: string; name?: string; kind?: string }

const open = async (as = 'alice@example.com', features?: string[]) => {
  const page = await openAs(as, '/trackers/add', features && { features })
  const name = await screen.findByLabelText(/^Name/)
  const button = screen.getByRole('button', { name: 'Add tracker' })
  return {
    ...page,
    button,
    async send({ identifier, serial, name: called = 'Boat', kind = 'Other' }: Typed) {
      if (serial !== undefined) await page.user.click(screen.getByRole('radio', { name: 'S/N' }))
      const field = () => screen.getByRole('textbox', { name: serial === undefined ? /^Identifier/ : /^S\/N/ })
      await page.user.clear(field())
      if (serial ?? identifier) await page.user.type(field(), serial ?? identifier ?? '')
      await page.user.clear(name)
      if (called) await page.user.type(name, called)
      if (kind) await page.user.click(screen.getByRole('radio', { name: kind }))
      await page.user.click(button)
    },
    posts: () => page.calls.filter(({ method }) => method === 'POST').map(({ path }) => path),
  }
}

describe('R-2.74 adding a tracker', () => {
  test('a tracker added by its ID is confirmed with "Tracker added" on its page', async () => {
    await using page = await open()
    await page.send({ identifier: '9000000001' })
    expect(await screen.findByText('Tracker added')).toBeVisible()
    expect(await screen.findByRole('article', { name: 'Boat' })).toBeVisible()
    const { body } = await page.portal.call('alice@example.com', 'GET', '/devices/?type=tracker')
    expect(body.find(({ name }: { name: string }) => name === 'Boat')).toMatchObject({ identifier: '9000000001', kind: 'other' })
  })

  test('a tracker can be added by its S/N in any notation', async () => {
    await using page = await open()
    await page.send({ serial: 'factory-000 07', name: 'Van', kind: 'Vehicle' })
    expect(await screen.findByRole('article', { name: 'Van' })).toBeVisible()
  })

  test('the model is requested only when the ID does not determine it', async () => {
    await using page = await open()
    expect(screen.queryByRole('combobox', { name: /^Model/ })).toBeNull()
    await page.send({ identifier: '12345678-90', kind: 'Cat' })
    expect(await screen.findByText(/We do not know this ID/)).toBeVisible()
    const model = screen.getByRole('combobox', { name: /^Model/ })
    expect(model).toHaveFocus()
    expect(
      within(model)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toContain('Dog collar 06')
    await page.user.selectOptions(model, 'Dog collar 06')
    await page.user.click(page.button)
    expect(await screen.findByRole('article', { name: 'Boat' })).toBeVisible()
  })
})

describe('rejected numbers', () => {
  test.each(['123456789', '12345678901', '1234567A90'])(
    'R-8.6 R-5.8 the malformed ID %s is rejected without a request',
    async (identifier) => {
      await using page = await open()
      await page.send({ identifier })
      expect(await screen.findByText('Invalid ID')).toBeVisible()
      expect(screen.getByRole('textbox', { name: /^Identifier/ })).toHaveFocus()
      expect(page.posts()).toEqual([])
    },
  )

  test('R-8.7 a malformed S/N is rejected without a request, an unknown one by the server', async () => {
    await using page = await open()
    await page.send({ serial: 'SHORT' })
    expect(await screen.findByText('The entered S/N number is invalid!')).toBeVisible()
    expect(page.posts()).toEqual([])
    await page.send({ serial: 'UNKNOWN00001' })
    await waitFor(() => expect(page.posts()).toHaveLength(1))
    expect(await screen.findByText('The entered S/N number is invalid!')).toBeVisible()
  })

  test('R-8.5 a tracker of another account leads to the conflict pages with its number', async () => {
    await using page = await open()
    await page.send({ identifier: '8000000001' })
    expect(await screen.findByText('This ID is already taken')).toBeVisible()
    expect(screen.getByRole('link', { name: /Is the tracker yours/ })).toHaveAttribute('href', '/conflicting')
    expect(conflict.read()).toEqual({ identifier: '8000000001' })
    expect(screen.getByLabelText(/^Name/)).toHaveValue('Boat')
  })

  test('R-5.6 missing fields are marked without a request', async () => {
    await using page = await open()
    await page.user.click(page.button)
    expect(await screen.findByText('Please fill in all fields')).toBeVisible()
    expect(screen.getByRole('textbox', { name: /^Identifier/ })).toHaveFocus()
    expect(screen.getByRole('textbox', { name: /^Identifier/ })).toBeInvalid()
    expect(page.posts()).toEqual([])
  })

  test('R-8.30 a failed request shows an error and keeps the input', async () => {
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { '/devices/trackers/': respondWith(500) })
    const { user } = await renderAt('/trackers/add?identifier=9000000001', { portal: server, as: 'alice@example.com' })
    await user.type(await screen.findByLabelText(/^Name/), 'Boat')
    await user.click(screen.getByRole('radio', { name: 'Bike' }))
    await user.click(screen.getByRole('button', { name: 'Add tracker' }))
    expect(await screen.findByText('Something went wrong, please try again')).toBeVisible()
    expect(screen.getByRole('textbox', { name: /^Identifier/ })).toHaveValue('90000000-01')
    expect(screen.getByRole('radio', { name: 'Bike' })).toBeChecked()
  })
})

test('a number that is not in stock, or that is blocked, is explained at its field', async () => {
  await using portal = await startSyncedPortal({ claims: 'stock' })
  await portal.world.db.write('everything', (tx) =>
    tx.update(stockItems).set({ blockedAt: portal.clock.now() }).where(eq(stockItems.identifier, '9000000001')),
  )
  const { user } = await renderAt('/trackers/add?identifier=1234567890', { portal, as: 'alice@example.com' })
  await user.type(await screen.findByLabelText(/^Name/), 'Boat')
  await user.click(screen.getByRole('radio', { name: 'Bike' }))
  const field = screen.getByRole('textbox', { name: /^Identifier/ })
  for (const [number, reason] of [
    ['12345678-90', 'We do not know this ID. Check it against the one printed on the tracker.'],
    ['90000000-01', 'This tracker is blocked. Please contact support.'],
  ] as const) {
    await user.clear(field)
    await user.type(field, number)
    await user.click(screen.getByRole('button', { name: 'Add tracker' }))
    expect(await screen.findByText(reason)).toBeVisible()
    expect(field).toBeInvalid()
  }
})

test('a phone is added without a number, and its page asks to connect it', async () => {
  await using page = await open('dario@example.com', [...FEATURES])
  await page.user.click(screen.getByRole('radio', { name: 'Phone' }))
  expect(screen.queryByRole('textbox', { name: /^Identifier/ })).toBeNull()
  await page.user.type(screen.getByLabelText(/^Name/), 'My phone')
  await page.user.click(screen.getByRole('radio', { name: 'Person' }))
  await page.user.click(page.button)
  expect(await screen.findByRole('dialog', { name: 'Connect a phone to My phone' })).toBeVisible()
  expect(page.posts()).toContain('/devices/phones/')
})

test('a backend without identifiers for phones does not offer a phone', async () => {
  await using _ = await open('alice@example.com', [...OPTIONAL])
  expect(screen.getByRole('radio', { name: 'S/N' })).toBeVisible()
  expect(screen.queryByRole('radio', { name: 'Phone' })).toBeNull()
})

describe('permission to add trackers', () => {
  test.each(['member@pro.example.com', 'support@example.com'])('%s sees a notice and no add button', async (email) => {
    await using page = await openAs(email, '/trackers/add')
    expect(await screen.findByText('You cannot add a tracker')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Add tracker' })).toBeNull()
    await page.user.click(screen.getAllByRole('link', { name: 'Trackers' }).at(-1)!)
    expect(await screen.findByRole('table')).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Add a tracker' })).toBeNull()
  })

  test('an account without trackers is led from the list of trackers to adding one', async () => {
    await using page = await openAs('dario@example.com', '/trackers')
    await page.user.click(await screen.findByRole('link', { name: 'Add a tracker' }))
    expect(await screen.findByRole('heading', { name: 'What do you want to find?' })).toBeVisible()
  })
})
