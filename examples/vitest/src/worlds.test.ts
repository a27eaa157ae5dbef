import { describe, expect, vi } from 'vitest'
import { listEndedTrackers } from './ended-trackers.ts'
import { test } from './worlds.ts'

const MISTY = 2

test('Alice sees her eighteen trackers', async ({ world }) => {
  // A typed client of the API, signed in as Alice.
  const trackers = await world.api('alice').devices.list({ query: { type: 'tracker' } })
  expect(trackers).toHaveLength(18)
})

describe('when a subscription ends tomorrow', () => {
  // One of fifteen scenarios.
  test.override({ scenario: 'expiring' })

  test('a tracker is listed as ended once its subscription has ended', async ({ world }) => {
    // The code under test sends its requests to the world of this test.
    vi.stubGlobal('fetch', world.fetch)
    const { token } = world.persona('alice')
    expect(await listEndedTrackers(token)).not.toContain('Misty')
    // Runs every job due before, in order.
    await world.clock.until('subscription_end')
    expect(await listEndedTrackers(token)).toContain('Misty')
  })
})

test('a forgotten password is reset with the link of a mail', async ({ world }) => {
  const { email } = world.persona('zoe')
  await world.api().sessions.requestReset({ body: { email } })
  // Waits for the mail; its links are fields, so no text has to be searched.
  const link = new URL(await world.mail.linkTo(email, 'password_reset'))
  const key = link.searchParams.get('key') ?? ''
  await world.api().sessions.reset({ body: { key, new_password: 'A-new-one-22' } })
  const { token } = await world.api().sessions.signIn({ body: { username: email, password: 'A-new-one-22' } })
  expect(token).toMatch(/^[0-9a-f]{40}$/)
})

test('an error of the server reaches the caller, and the next call succeeds', async ({ world }) => {
  await world.faults.create({ body: { match: { route: 'devices.list' }, effect: 'status', status: 500, times: 1 } })
  vi.stubGlobal('fetch', world.fetch)
  const { token } = world.persona('alice')
  await expect(listEndedTrackers(token)).rejects.toThrow('The trackers could not be read: 500')
  expect(await listEndedTrackers(token)).toEqual(expect.any(Array))
  // The journal records every request with its response.
  await world.requests.verify({ body: { route: 'devices.list', persona: 'alice', count: 2 } })
})

test('a declined card buys nothing, another card pays', async ({ world }) => {
  const alice = world.api('alice')
  const { id } = await alice.subscriptions.pay({ body: { items: [{ device: MISTY, price: 'eur-12m-once' }] } })
  const refused = await world.payments.complete({ params: { id }, body: { card: 'declined' } })
  expect(refused).toMatchObject({ outcome: 'refused', fault: 'declined' })
  await world.payments.complete({ params: { id }, body: { card: 'success' } })
  const [misty] = (await alice.subscriptions.list()).filter(({ device }) => device === MISTY)
  expect(misty?.sub_end_date).toMatch(/^2027-03-14/)
})

test('a session survives a leap of twenty days', async ({ world }) => {
  const before = await world.clock.now()
  await world.clock.advance('P20D')
  expect((await world.clock.now()).getTime() - before.getTime()).toBe(20 * 24 * 60 * 60 * 1000)
  await world.api('alice').devices.list({ query: { type: 'tracker' } })
})

describe.concurrent('two tests at once', () => {
  test.for(['Sea', 'Hills'])('parallel tests only see the tag %s of their own world', async (name, { world, expect }) => {
    const alice = world.api('alice')
    const before = await alice.tags.list()
    await alice.tags.create({ body: { name, color: '#1d4ed8' } })
    expect(await alice.tags.list()).toHaveLength(before.length + 1)
  })
})
