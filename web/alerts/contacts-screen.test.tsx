import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const ALICE = 'alice@example.com'

type Typed = { name?: string; email?: string; phone?: string }

const open = async (as = ALICE) => {
  const page = await openAs(as, '/contacts')
  await screen.findByRole('heading', { level: 1, name: /^Contacts/ })
  const fill = async (label: RegExp, text: string | undefined) => {
    if (text === undefined) return
    const input = screen.getByLabelText(label)
    await page.user.clear(input)
    if (text) await page.user.type(input, text)
  }
  return {
    ...page,
    rows: () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent),
    press: (name: string) => page.user.click(screen.getByRole('button', { name })),
    dialog: () => within(screen.getByRole('dialog')),
    async save({ name, email, phone }: Typed) {
      await fill(/^Name/, name)
      await fill(/^E-mail/, email)
      await fill(/^Phone/, phone)
      await page.user.click(screen.getByRole('button', { name: 'Save' }))
    },
    kept: async () => (await page.portal.call(as, 'GET', '/tracker_contacts/')).body,
    changes: () => page.calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
  }
}

describe('R-2.68 list of contacts', () => {
  test('contacts are listed by name with address and phone number', async () => {
    await using page = await open()
    expect(page.rows()).toEqual([
      'BBobbob@example.net+598 99 123 456',
      'CCarolcarol@example.net',
      'DDavedave@example.netHas stopped alert e-mails since Feb 18, 2026',
    ])
  })

  test('a new contact appears in alphabetical position', async () => {
    await using page = await open()
    await page.press('Add contact')
    await page.save({ name: 'Ben', email: 'BEN@example.net', phone: '+44 (20) 7946-0000' })
    await waitFor(() => expect(page.rows()[0]).toBe('BBenben@example.net+44 (20) 7946-0000'))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(await page.kept()).toHaveLength(4)
  })

  test('a contact can be changed, and its phone number removed', async () => {
    await using page = await open()
    await page.press('Edit: Bob')
    expect(screen.getByLabelText(/^E-mail/)).toHaveValue('bob@example.net')
    await page.save({ name: 'Zed', phone: '' })
    await waitFor(() => expect(page.rows()[2]).toBe('ZZedbob@example.net'))
    expect((await page.kept()).at(-1)).toMatchObject({ name: 'Zed', phone: null })
  })

  test('an empty list explains contacts and offers to add the first', async () => {
    await using page = await open('george@example.com')
    expect(await screen.findByText('No contact yet')).toBeVisible()
    await page.press('Add contact')
    await page.save({ name: 'Ann', email: 'ann@example.net' })
    await waitFor(() => expect(page.rows()).toEqual(['AAnnann@example.net']))
  })
})

describe('rejected contacts', () => {
  test('an empty form marks the missing fields and sends no request', async () => {
    await using page = await open()
    await page.press('Add contact')
    await page.save({})
    expect(page.dialog().getByRole('alert')).toHaveTextContent('Please fill in all fields')
    expect(screen.getByLabelText(/^Name/)).toHaveFocus()
    expect(page.changes()).toEqual([])
  })

  test('R-3.39 a malformed e-mail address or phone number is rejected', async () => {
    await using page = await open()
    await page.press('Add contact')
    await page.save({ name: 'Ann', email: 'ann', phone: 'call me' })
    expect(await screen.findByText('Invalid e-mail address')).toBeVisible()
    expect(screen.getByText('Only digits, spaces and + ( ) - . /')).toBeVisible()
    expect(page.changes()).toEqual([])
  })

  test('R-3.39 an e-mail address of another contact is rejected at its field, and the input stays', async () => {
    await using page = await open()
    await page.press('Add contact')
    await page.save({ name: 'Bobby', email: 'Bob@Example.net' })
    const email = screen.getByLabelText(/^E-mail/)
    await waitFor(() => expect(email).toHaveAccessibleDescription('You already have a contact with this e-mail address'))
    expect(email).toHaveFocus()
    expect(screen.getByLabelText(/^Name/)).toHaveValue('Bobby')
    await page.save({ email: 'bobby@example.net' })
    await waitFor(() => expect(page.rows()).toHaveLength(4))
  })

  test('a contact that was deleted meanwhile is reported as deleted', async () => {
    await using page = await open()
    const [bob] = await page.kept()
    await page.press('Edit: Bob')
    await page.portal.call(ALICE, 'DELETE', `/tracker_contacts/${bob.id}/`)
    await page.save({ name: 'Robert' })
    expect(await screen.findByText('This contact no longer exists. Reload the page.')).toBeVisible()
  })
})

describe('deleting a contact', () => {
  test('the confirmation lists the alerts that would lose their only recipient', async () => {
    await using page = await open()
    await page.press('Delete: Bob')
    const lost = await page.dialog().findByRole('listitem')
    expect(lost).toHaveTextContent('Back home · When Rex or Misty enters Home, tell Bob.')
    expect(page.dialog().getByText('This alert would have no recipient left, so it is deleted too:')).toBeVisible()
    await page.user.click(page.dialog().getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Contact deleted')).toBeVisible()
    await waitFor(() => expect(page.rows()).toHaveLength(2))
    const { body: alerts } = await page.portal.call(ALICE, 'GET', '/tracker_alerts/')
    expect(alerts).toHaveLength(3)
  })

  test('a contact that no alert depends on is deleted without listing alerts', async () => {
    await using page = await open()
    await page.press('Delete: Dave')
    await page.user.click(page.dialog().getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(page.rows()).toHaveLength(2))
    expect((await page.kept()).map(({ name }: { name: string }) => name)).toEqual(['Bob', 'Carol'])
  })

  test('Cancel deletes nothing', async () => {
    await using page = await open()
    await page.press('Delete: Dave')
    await page.user.click(page.dialog().getByRole('button', { name: 'Cancel' }))
    expect(page.rows()).toHaveLength(3)
    expect(page.changes()).toEqual([])
  })
})

test('support can read the contacts but gets no buttons that change them', async () => {
  await using page = await open('support@example.com')
  expect(await screen.findByText('Your role lets you view everything but change nothing.')).toBeVisible()
  expect(page.rows().length).toBeGreaterThan(2)
  expect(screen.queryByRole('button', { name: /^(Add contact|Edit|Delete)/ })).toBeNull()
})

test('a list that cannot be loaded shows an error and can be retried', async () => {
  await using portal = await startSyncedPortal()
  const server = withFaults(portal, { '/tracker_contacts/': respondWith(500) })
  const { user } = await renderAt('/contacts', { portal: server, as: ALICE })
  expect(await screen.findByText('We could not load this.')).toBeVisible()
  server.mend()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Bob')).toBeVisible()
})
