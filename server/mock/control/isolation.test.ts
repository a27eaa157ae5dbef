import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { api } from '#contracts/index.ts'
import { createEventParser } from '#contracts/lib/sse.ts'
import { connect } from '#contracts/mock/connect.ts'
import { control } from '#contracts/mock/index.ts'
import type { TrackerStatus } from '#contracts/trackers/devices.ts'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

/** Everything created in a world contains the world's mark: in its name, its latitude or its card. */
const WORLDS = [
  { id: 'blue', lat: 1, card: 'success', steps: 60 },
  { id: 'red', lat: 2, card: 'declined', steps: 30 },
] as const
type Mark = (typeof WORLDS)[number]

const CALLS = 5000
const AT_ONCE = 100
const START = Date.parse('2026-03-02T08:00:00Z')
const base = 'http://localhost'
/** A tracker whose subscription can be bought again. */
const PAID = 2

function collectEvents(stream: Readable) {
  const received: { type: string; data: Record<string, unknown> }[] = []
  const parse = createEventParser()
  const done = (async () => {
    for await (const piece of stream) for (const { type, data } of parse(String(piece))) received.push({ type, data: JSON.parse(data) })
  })()
  return { received, done }
}

async function open(portal: Portal, mark: Mark) {
  const world = { base, fetch: portal.fetch, world: mark.id }
  const { personas } = await connect(control, { base, fetch: portal.fetch }).worlds.create({ body: { id: mark.id } })
  const as = (key: string) => connect(api, { ...world, token: personas.find((persona) => persona.key === key)!.token })
  const listen = async (url: string, headers: object) =>
    collectEvents((await portal.app.inject({ url, headers: { 'x-world': mark.id, ...headers }, payloadAsStream: true })).stream())
  return {
    mark,
    control: connect(control, world),
    alice: as('alice'),
    admin: as('admin'),
    live: await listen('/devices/live/', { authorization: `Bearer ${personas.find(({ key }) => key === 'alice')!.token}` }),
    events: await listen('/mock/events', {}),
    ingest: (n: number) =>
      portal.app.inject({
        method: 'POST',
        url: '/devices/ingest/',
        headers: { 'x-world': mark.id, 'x-device-key': 'demo-device-key' },
        payload: {
          identifier: '1000000007',
          positions: [{ lat: mark.lat, lng: n / 1000, precision: 5, datetime: new Date(START + n * 200).toISOString() }],
        },
      }),
  }
}
type Opened = Awaited<ReturnType<typeof open>>

const endOf = async (alice: Opened['alice']) => (await alice.devices.get({ params: { id: PAID } })).tracker_status.sub_end_date!

/**
 * Sends the n-th request to a world. Most are reads that must show the mark; the others write marked data that could leak into other
 * worlds.
 */
async function call(world: Opened, n: number) {
  const { alice, admin, mark } = world
  if (n % 1000 === 999) {
    const { id } = await alice.subscriptions.pay({
      body: { items: [{ device: PAID, price: 'eur-12m-once' }], options: [] },
    })
    await world.control.payments.complete({ params: { id }, body: { card: mark.card } })
  } else if (n % 250 === 1) {
    // The clock of a world may have expired its sessions.
    await admin.recentSignIn.confirm({ body: { password: DEMO_PASSWORD } })
    await admin.team.invite({ body: { email: `${mark.id}-${n}@example.com`, first_name: mark.id, last_name: 'Guest' } })
  } else if (n % 100 === 2) await alice.tags.create({ body: { name: `${mark.id} ${n}` } })
  else if (n % 50 === 3 && n / 50 < mark.steps) await world.control.clock.advance({ body: { by: 'PT30S' } })
  else if (n % 10 === 4) expect((await world.ingest(n)).statusCode).toBe(201)
  else if (n % 10 === 5) await alice.devices.list({ query: { type: 'tracker' } })
  else expect((await alice.users.settings()).firstname).toBe(mark.id)
}

test('ten thousand requests to two worlds, with mails, webhooks, streams and moving trackers, leak nothing between them', async () => {
  await using portal = await startPortal()
  const worlds = await Promise.all(WORLDS.map((mark) => open(portal, mark)))
  const before = await endOf(worlds[0]!.alice)
  for (const { alice, mark } of worlds) await alice.users.changeSettings({ body: { firstname: mark.id } })
  for (let n = 0; n < CALLS; n += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => worlds.map((world) => call(world, n + i))).flat())

  for (const { mark, control: steer, alice } of worlds) {
    const other = WORLDS.find(({ id }) => id !== mark.id)!.id
    const mails = await steer.mail.list({ query: { template: 'invitation' } })
    expect(mails.filter(({ to }) => to.startsWith(mark.id))).toHaveLength(CALLS / 250)
    expect(mails.filter(({ to }) => to.startsWith(other))).toEqual([])
    expect((await alice.tags.list()).filter(({ name }) => name.startsWith(other))).toEqual([])
    const paid = (await steer.payments.events()).filter(({ type }) => type === 'checkout.session.completed')
    expect(paid).toHaveLength(mark.card === 'success' ? CALLS / 1000 : 0)
    expect((await endOf(alice)) > before).toBe(mark.card === 'success')
    const { now } = await steer.clock.read()
    expect(Date.parse(now) - Date.parse('2026-03-02T09:00:00Z')).toBe(mark.steps * 30_000)
    const { results } = await alice.positions.history({ params: { id: 7 }, query: {} })
    expect(new Set(results.map(({ lat }) => lat))).toEqual(new Set([mark.lat]))
    expect((await steer.violations.list()).map(({ message }) => message)).toEqual([])
  }

  await Promise.all(worlds.map(({ mark }) => portal.worlds.remove(mark.id)))
  for (const { mark, live, events } of worlds) {
    await Promise.all([live.done, events.done])
    const points = live.received.filter(({ type, data }) => type === 'position' && data.device === 7)
    expect(points.length).toBeGreaterThan(0)
    expect(new Set(points.map(({ data }) => (data.tracker_status as TrackerStatus).last_position?.lat))).toEqual(new Set([mark.lat]))
    const of = (type: string) => events.received.filter((event) => event.type === type).map(({ data }) => data)
    expect(
      of('mail')
        .filter(({ template }) => template === 'invitation')
        .every(({ to }) => String(to).startsWith(mark.id)),
    ).toBe(true)
    expect(of('clock')).toHaveLength(mark.steps)
    expect(of('webhook').length > 0).toBe(mark.card === 'success')
    expect(of('request').length).toBeGreaterThan(CALLS * 0.9)
  }
})
