import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { forgiven, swap, withHabit } from '#web/test/habits.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const ALICE = 'alice@example.com'

type User = Awaited<ReturnType<typeof renderAt>>['user']

const WHO = /^Which trackers/
const WHOM = /^Whom to tell/
const EVENT = /^What happens/
const PLACE = /^Which place/

/** The part of the sentence that opens these choices. */
const chip = (name: RegExp) => screen.getByRole('button', { name })

/** Opens the choices of a part of the sentence for `act`, and closes them. */
async function choose<T>(user: User, name: RegExp, act: (dialog: ReturnType<typeof within>) => T | Promise<T>) {
  await user.click(await screen.findByRole('button', { name }))
  const result = await act(within(await screen.findByRole('dialog')))
  await user.click(screen.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  return result
}

const sentence = () => document.querySelector('span[role="status"]')?.textContent

/** A new alert starts with the user ticked, which most tests undo. */
const open = async (path = '/alerts/new', as = ALICE) => {
  const page = await openAs(as, path)
  const { user } = page
  await screen.findByRole('button', { name: /^(Create alert|Save)$/ })
  const tick = (part: RegExp, ...names: (string | RegExp)[]) =>
    choose(user, part, async (dialog) => {
      for (const name of names) await user.click(await dialog.findByRole('checkbox', { name }))
    })
  if (path === '/alerts/new') await tick(WHOM, /^Me /)
  return {
    ...page,
    sentence,
    choose: <T,>(part: RegExp, act: (dialog: ReturnType<typeof within>) => T | Promise<T>) => choose(user, part, act),
    who: (...names: string[]) => tick(WHO, ...names),
    whom: (...names: RegExp[]) => tick(WHOM, ...names),
    names: (part: RegExp) =>
      choose(user, part, async (dialog) =>
        (await dialog.findAllByRole('checkbox')).map((box: HTMLElement) => box.closest('label')?.textContent),
      ),
    vehicle: () => tick(EVENT, /^Vehicle alert/),
    trigger: (name: string) => choose(user, EVENT, (dialog) => user.click(dialog.getByRole('radio', { name }))),
    place: (name: RegExp) => choose(user, PLACE, async (dialog) => user.click(await dialog.findByRole('radio', { name }))),
    send: () => user.click(screen.getByRole('button', { name: /^(Create alert|Save)$/ })),
    kept: async () => (await page.portal.call(as, 'GET', '/tracker_alerts/')).body,
    posts: () => page.calls.filter(({ method }) => method !== 'GET').map(({ method, path: to }) => `${method} ${to}`),
  }
}

test('an unknown trigger is offered and sent back unchanged', async () => {
  await using portal = await startSyncedPortal()
  const [first] = (await portal.call(ALICE, 'GET', '/tracker_alerts/')).body.filter(({ trigger }: { trigger: string }) => trigger)
  const server = withHabit(portal, swap(`"trigger":"${first.trigger}"`, '"trigger":"circle"'), swap('"circle"', `"${first.trigger}"`))
  const { user } = await renderAt(`/alerts/${first.id}`, { portal: server, as: ALICE })
  await choose(user, EVENT, (dialog) => expect(dialog.getByRole('radio', { name: 'Other (circle)' })).toBeChecked())
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved')).toBeVisible()
  expect(server.sent).toMatchObject([{ trigger: 'circle', place: first.place }])
  forgiven.splice(0)
})

describe('R-2.64 creating an alert', () => {
  test('R-2.66 R-2.67 the sentence follows each choice, and the saved alert appears in the list', async () => {
    await using page = await open()
    expect(page.sentence()).toBe('When … enters …, tell …')
    await page.choose(EVENT, (dialog) => expect(dialog.getByRole('radio', { name: 'Enters a place' })).toBeChecked())
    await page.who('Misty', 'Rex')
    expect(page.sentence()).toBe('When Misty or Rex enters …, tell …')
    await page.trigger('Leaves a place')
    await page.place(/^Cabin/)
    await page.whom(/^Dave/)
    expect(page.sentence()).toBe('When Misty or Rex leaves Cabin, tell Dave.')
    await page.user.type(screen.getByRole('textbox', { name: /^Name of the alert/ }), 'Off to town')
    await page.send()
    expect(await screen.findByText('Saved')).toBeVisible()
    expect(await screen.findByText('Off to town')).toBeVisible()
    expect(window.location.pathname).toBe('/alerts')
    expect((await page.kept()).at(-1)).toMatchObject({ name: 'Off to town', trigger: 'leave', vehicle_alert: false })
  })

  test('R-5.6 a missing choice is marked until it is made', async () => {
    await using page = await open()
    await page.send()
    expect(screen.getByRole('alert')).toHaveTextContent('Please fill in all fields')
    expect(screen.getByText('Choose at least one tracker')).toBeVisible()
    expect(chip(PLACE)).toHaveAccessibleDescription('Still missing')
    await page.who('Misty')
    expect(screen.queryByText('Choose at least one tracker')).toBeNull()
    await page.place(/^Cabin/)
    expect(screen.getByRole('alert')).toHaveTextContent('Please fill in all fields')
    await page.whom(/^Dave/)
    expect(screen.getByRole('alert')).toBeEmptyDOMElement()
    expect(page.posts()).toEqual([])
  })

  test('a long tracker list can be searched, and ticked trackers stay ticked', async () => {
    await using page = await open()
    await page.choose(WHO, async (dialog) => {
      await page.user.click(dialog.getByRole('checkbox', { name: 'Rex' }))
      await page.user.type(dialog.getByRole('textbox', { name: 'Search: Which trackers' }), 'FAM')
      expect(dialog.getAllByRole('checkbox').map((box: HTMLElement) => box.closest('label')?.textContent)).toEqual(['Family car'])
      await page.user.click(dialog.getByRole('checkbox', { name: 'Family car' }))
    })
    expect(page.sentence()).toContain('Rex or Family car')
  })

  test('an empty form marks every missing choice, focuses the first and sends no request', async () => {
    await using page = await open()
    await page.send()
    expect(await screen.findByText('Choose at least one tracker')).toBeVisible()
    expect(screen.getByText('Choose at least one contact')).toBeVisible()
    expect(chip(PLACE)).toHaveAccessibleDescription('Still missing')
    expect(chip(WHO)).toHaveFocus()
    expect(page.posts()).toEqual([])
    await page.who('Rex')
    expect(screen.queryByText('Choose at least one tracker')).toBeNull()
  })

  test('leaving with unsaved choices asks for confirmation', async () => {
    await using page = await open()
    await page.who('Rex')
    await page.user.click(screen.getByRole('link', { name: 'Trackers' }))
    expect(await screen.findByRole('heading', { name: 'You have unsaved changes' })).toBeVisible()
    await page.user.click(screen.getByRole('button', { name: 'Keep editing' }))
    expect(page.sentence()).toContain('Rex')
  })
})

describe('R-3.38 vehicle alert', () => {
  test('the vehicle alert offers vehicles and bikes only and asks for no place', async () => {
    await using page = await open()
    await page.who('Rex')
    await page.vehicle()
    const offered = await page.names(WHO)
    expect(offered).toContain('Family car')
    expect(offered).toContain('City bike')
    expect(offered).not.toContain('Rex')
    expect(screen.queryByRole('button', { name: PLACE })).toBeNull()
    await page.who('Company van')
    await page.whom(/^Bob/)
    expect(page.sentence()).toBe('When Company van starts to move, tell Bob.')
    await page.send()
    expect(await screen.findByText('Saved')).toBeVisible()
    // The form, which is closing, shows the same sentence.
    const alerts = within(await screen.findByRole('list', { name: 'Alerts' }))
    expect(alerts.getByText('When Company van starts to move, tell Bob.')).toBeVisible()
    expect((await page.kept()).at(-1)).toMatchObject({ name: null, place: null, trigger: null, vehicle_alert: true })
  })

  test('switching the vehicle alert off restores the earlier choices', async () => {
    await using page = await open()
    await page.who('Rex')
    await page.vehicle()
    expect(page.sentence()).toBe('When … starts to move, tell …')
    await page.vehicle()
    expect(page.sentence()).toBe('When Rex enters …, tell …')
  })

  test('a tracker that is no longer a vehicle is rejected with a sentence (vehicle_only)', async () => {
    await using page = await open()
    await page.vehicle()
    await page.who('Company van')
    await page.whom(/^Bob/)
    const { body } = await page.portal.call(ALICE, 'GET', '/devices/?type=tracker')
    const van = body.find(({ name }: { name: string }) => name === 'Company van')
    await page.portal.call(ALICE, 'PATCH', `/devices/${van.id}/`, { kind: 'dog' })
    await page.send()
    expect(await screen.findByText('Only trackers of vehicles and bikes can have the vehicle alert.')).toBeVisible()
    expect(page.sentence()).toContain('Company van')
  })
})

describe('creating what an alert needs', () => {
  test('R-2.66 a contact is added and selected without leaving the form', async () => {
    await using page = await open()
    await page.who('Rex')
    await page.user.click(chip(WHOM))
    await page.user.click(await screen.findByRole('button', { name: 'Add contact' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Add contact' }))
    await page.user.type(dialog.getByLabelText(/^Name/), 'Ann')
    await page.user.type(dialog.getByLabelText(/^E-mail/), 'ann@example.net')
    await page.user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(page.sentence()).toBe('When Rex enters …, tell Ann.'))
    expect(await screen.findByRole('checkbox', { name: /^Ann/ })).toBeChecked()
  })

  test('without places or contacts the form shows hints and links', async () => {
    await using page = await open('/alerts/new', 'george@example.com')
    await page.choose(PLACE, async (dialog) =>
      expect(await dialog.findByRole('link', { name: 'New place' })).toHaveAttribute('href', '/places/new'),
    )
    await page.choose(WHOM, async (dialog) => expect(await dialog.findByText('No contact yet')).toBeVisible())
  })

  test('without a tracker the form links to adding one', async () => {
    await using page = await open('/alerts/new', 'chloe@example.com')
    await page.choose(WHO, (dialog) => {
      expect(dialog.getByText('No tracker yet')).toBeVisible()
      expect(dialog.getByRole('link', { name: 'Add a tracker' })).toHaveAttribute('href', '/trackers/add')
    })
  })
})

describe('changing an alert', () => {
  test('an existing alert fills the form, and fields that were not changed keep their values', async () => {
    await using page = await open('/alerts/2')
    expect(page.sentence()).toBe('When Rex leaves Home, tell Bob and Carol.')
    await page.whom(/^Bob/)
    await page.send()
    expect(await screen.findByText('Saved')).toBeVisible()
    const alerts = within(await screen.findByRole('list', { name: 'Alerts' }))
    expect(alerts.getByText('When Rex leaves Home, tell Carol.')).toBeVisible()
    const flashed = alerts.getAllByRole('listitem').filter((entry) => 'new' in entry.dataset)
    expect(flashed.map(({ textContent }) => textContent)).toEqual([expect.stringContaining('When Rex leaves Home, tell Carol.')])
    expect((await page.kept())[1]).toMatchObject({ name: 'Rex is off', trigger: 'leave' })
  })

  test('an alert that was deleted meanwhile is reported, and the choices stay', async () => {
    await using page = await open('/alerts/2')
    await page.portal.call(ALICE, 'DELETE', '/tracker_alerts/2/')
    await page.whom(/^Bob/)
    await page.send()
    expect(await screen.findByText('This alert no longer exists. Reload the page.')).toBeVisible()
    expect(page.sentence()).toBe('When Rex leaves Home, tell Carol.')
  })

  test.each(['/alerts/999999', '/alerts/nope'])('R-6.9 %s shows that the alert does not exist', async (path) => {
    await using page = await openAs(ALICE, path)
    expect(await screen.findByText('Alert not found')).toBeVisible()
    expect(page.calls.filter(({ method }) => method !== 'GET')).toEqual([])
  })
})

describe('R-7.29 failed requests', () => {
  test('a new alert can be created when the list of alerts cannot be loaded', async () => {
    await using portal = await startSyncedPortal()
    await renderAt('/alerts/new', { portal: withFaults(portal, { 'GET /tracker_alerts/': respondWith(500) }), as: ALICE })
    expect(await screen.findByRole('button', { name: 'Create alert' })).toBeVisible()
    expect(screen.queryByText('We could not load this.')).toBeNull()
  })

  test.each([
    ['/tracker_places/', PLACE, 'Cabin'],
    ['/tracker_contacts/', WHOM, 'Dave'],
  ])('a failed request to %s is shown among its choices and can be retried without losing others', async (path, part, option) => {
    await using portal = await startSyncedPortal()
    const server = withFaults(portal, { [path]: respondWith(500) })
    const { user } = await renderAt('/alerts/new', { portal: server, as: ALICE })
    await choose(user, WHO, (dialog) => user.click(dialog.getByRole('checkbox', { name: 'Misty' })))
    await choose(user, part, async (dialog) => {
      expect(await dialog.findByText('We could not load this.')).toBeVisible()
      server.mend()
      await user.click(dialog.getByRole('button', { name: 'Try again' }))
      expect(await dialog.findByText(option)).toBeVisible()
    })
    expect(sentence()).toContain('Misty')
  })

  test('an alert that cannot be loaded leaves the rest of the page in place', async () => {
    await using portal = await startSyncedPortal()
    await renderAt('/alerts/1', { portal: withFaults(portal, { '/tracker_alerts/': respondWith(500) }), as: ALICE })
    expect(await screen.findByText('We could not load this.')).toBeVisible()
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Alert')
    expect(screen.getByRole('link', { name: 'Alerts', current: false })).toBeVisible()
  })
})

describe('the user among those to tell', () => {
  test('a new alert notifies the user, and links fill in tracker and place', async () => {
    await using page = await open('/alerts/new?tracker=2&place=1')
    await waitFor(() => expect(page.sentence()).toBe('When Misty enters Home, tell me.'))
    expect((await page.names(WHOM))[0]).toBe('Me (alice@example.com)')
    await page.send()
    expect(await screen.findByText('Saved')).toBeVisible()
    const { body: contacts } = await page.portal.call(ALICE, 'GET', '/tracker_contacts/')
    const own = contacts.find(({ email }: { email: string }) => email === ALICE)
    expect((await page.kept()).at(-1)).toMatchObject({ devices: [2], place: 1, contacts: [own.id] })
  })

  test('a user who is already a contact is listed once', async () => {
    await using page = await openAs(ALICE, '/alerts')
    await page.portal.call(ALICE, 'POST', '/tracker_contacts/', { name: 'Alice herself', email: ALICE })
    await page.user.click(await screen.findByRole('link', { name: 'New alert' }))
    await choose(page.user, WHOM, async (dialog) => {
      expect(await dialog.findByRole('checkbox', { name: /^Me / })).toBeChecked()
      expect(dialog.queryByRole('checkbox', { name: /^Alice herself/ })).toBeNull()
    })
  })

  test('chosen trackers come first', async () => {
    await using page = await open('/alerts/2')
    expect((await page.names(WHO))[0]).toBe('Rex')
  })
})
