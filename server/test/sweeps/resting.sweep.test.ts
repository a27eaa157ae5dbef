import { eq, isNotNull, ne } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { GRACE_DAYS } from '#contracts/rules/service.ts'
import { DAY_MS, formatInstant, MINUTE_MS } from '#contracts/rules/time.ts'
import type { Work } from '#contracts/rules/work.ts'
import { decodeTrack } from '#contracts/track/codec.ts'
import { fromFixed7, toFixed7 } from '#db/positions.ts'
import { devices } from '#db/schema/devices.ts'
import { publicLinks } from '#db/schema/sharing.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { endpoints, type NamedEndpoint } from '#server/test/examples/all.ts'
import { authHeaders, buildUrl, sendExample } from '#server/test/examples/send-example.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { ANCHOR } from '#server/test/test-files.ts'

/** Calls that show the newest position of a tracker in service or in grace, and none from the rest on (docs/resting.md). */
const SHOWS_POSITIONS = [
  ...['devices.list', 'devices.get', 'devices.status', 'photos.save', 'photos.remove', 'photos.setIcon', 'trackers.change'],
  ...['positions.history', 'positions.track', 'positions.exportCsv', 'positions.live', 'data.export', 'days.list', 'links.read'],
]

/** Calls that need a subscription, also in grace. */
const NEEDS_SUBSCRIPTION = ['devices.setMode', 'devices.boost', 'planMoves.move', 'planMoves.ask', 'planPauses.pause', 'planPauses.ask']

/** Refused while a subscription renews from the card, and allowed once all have ended. */
const REFUSED_BEFORE_THE_END = ['paymentMethods.remove']

/** A pause ends with the subscription, and then there is nothing to resume. */
const ENDS_WITH_THE_SUBSCRIPTION = ['planPauses.resume']

/** Calls that show what was recorded before the rest, without the newest position itself. */
const SHOWS_THE_PAST = [
  'alertDryRun.run',
  'days.borders',
  'days.ways',
  'normal.read',
  'normal.suggest',
  'firings.list',
  'alertInbox.read',
  'alertInbox.change',
  'theft.form',
  'theft.read',
  'myData.file',
  'uplinkMappings.read',
]

/** Calls that accept positions of a resting tracker and show them after its renewal. */
const STORES = ['positions.ingest', 'data.create', 'data.commit', 'uplinkMappings.save']

/** Calls of accounts, people, places, money and settings, for which it does not matter whether a tracker rests. A name ends with a dot. */
const ALL_THE_SAME = [
  ...[
    'addresses.',
    'alertInbox.see',
    'alertSwitch.',
    'alerts.',
    'announcements.',
    'apiTokens.',
    'batteryAlerts.',
    'careClaims.',
    'confirmations.',
    'conflicts.',
    'contacts.',
  ],
  ...['data.list', 'data.undo', 'deviceKeys.', 'devices.config', 'devices.activate', 'devices.endBoost', 'factorSignIn.', 'groupLinks.'],
  ...[
    'handOff.',
    'invoices.',
    'links.listOf',
    'links.create',
    'links.remove',
    'links.list',
    'myData.list',
    'myData.create',
    'networkKeys.',
  ],
  ...[
    'networkNumbers.',
    'networkServer.',
    'normal.set',
    'normal.dismiss',
    'orders.',
    'owners.',
    'passkeys.',
    'paymentMethods.list',
    'paymentMethods.change',
    'places.',
    'planMoves.read',
    'planMoves.withdraw',
    'planPauses.read',
    'planPauses.withdraw',
    'positions.refused',
  ],
  ...['positions.changeMarks', 'push.', 'channels.', 'quietHours.', 'recentSignIn.', 'retention.', 'sct2.', 'secondFactor.', 'security.'],
  ...[
    'serialChecks.',
    'sessions.',
    'silences.',
    'subscriptions.',
    'tags.',
    'team.',
    'terms.',
    'theft.open',
    'theft.change',
    'trackers.add',
    'trackers.remove',
  ],
  ...['trackers.activateNetwork', 'phoneTrackers.add', 'users.'],
]

const KINDS = {
  SHOWS_POSITIONS,
  NEEDS_SUBSCRIPTION,
  REFUSED_BEFORE_THE_END,
  ENDS_WITH_THE_SUBSCRIPTION,
  SHOWS_THE_PAST,
  STORES,
  ALL_THE_SAME,
}
const kindsOf = (name: string) =>
  Object.entries(KINDS).flatMap(([kind, names]) =>
    names.some((one) => (one.endsWith('.') ? name.startsWith(one) : name === one)) ? [kind] : [],
  )

test('each call of the contract says once what it answers for a resting tracker', () => {
  expect(endpoints.map(({ name }) => [name, kindsOf(name)]).filter(([, kinds]) => kinds!.length !== 1)).toEqual([])
  for (const name of Object.values(KINDS).flat())
    expect(
      endpoints.some((each) => (name.endsWith('.') ? each.name.startsWith(name) : each.name === name)),
      name,
    ).toBe(true)
})

/** Days after the end of the subscription. */
const STATES = { service: -30, grace: 1, resting: GRACE_DAYS.usual + 16 }
type State = keyof typeof STATES

/** The newest position of all trackers, and when it was reported. */
const REPORTED_AT = new Date(ANCHOR.getTime() + MINUTE_MS / 2)

/** A world whose trackers are all in one state, and have all reported a position near the previous one. */
async function startIn(state: State) {
  const portal = await startPortal()
  const { db } = portal.world
  const endedAt = new Date(ANCHOR.getTime() - STATES[state] * DAY_MS)
  await db.write('everything', async (tx) => {
    const sub = state === 'service' ? ({ subState: 'active' } as const) : ({ subState: 'ended' } as const)
    await tx
      .update(devices)
      .set({ ...sub, subEndDate: endedAt })
      .where(ne(devices.subState, 'not_activated'))
    await tx.update(devices).set({ createdAt: endedAt }).where(eq(devices.subState, 'not_activated'))
    await tx.update(publicLinks).set({ startsAt: null }).where(eq(publicLinks.showsLastPoint, true))
  })
  portal.clock.set({ at: new Date(ANCHOR.getTime() + MINUTE_MS) })
  const markers = [formatInstant(REPORTED_AT)]
  for (const { identifier, lat, lng } of await db.read.select().from(devices).where(isNotNull(devices.identifier))) {
    const spot = { lat: fromFixed7((lat ?? toFixed7(-34.9)) - 1357), lng: fromFixed7(lng ?? toFixed7(-56.1)) }
    const body = { identifier, positions: [{ ...spot, precision: 9, datetime: formatInstant(REPORTED_AT) }] }
    const { status } = await portal.call(null, 'POST', '/devices/ingest/', body, { 'x-device-key': DEVICE_KEY })
    expect(status).toBeLessThan(300)
    markers.push(spot.lat.toFixed(7).replace(/0+$/, ''))
  }
  return { ...portal, markers, [Symbol.asyncDispose]: portal[Symbol.asyncDispose] }
}

type Answer = { status: number; code: string; hasMarker: boolean }

const ORDER = ['read', 'reversible', 'destructive']

/** Sends all examples to a world in one state: reads first, and what removes something last. */
async function answersIn(state: State) {
  await using portal = await startIn(state)
  const answers = new Map<string, Answer>()
  const sorted = endpoints.toSorted((a, b) => ORDER.indexOf(a.route.safety) - ORDER.indexOf(b.route.safety))
  for (const endpoint of sorted) answers.set(endpoint.name, await answerOf(portal, endpoint))
  return answers
}

type Portal = Awaited<ReturnType<typeof startIn>>

/** Sends the request of an example; a period of positions ends late enough for the newest one. */
async function answerOf(portal: Portal, { name, route, example }: NamedEndpoint): Promise<Answer> {
  const signIn = (key: string) => signInAs(portal.world, getPersona(key).email)
  const { status, text } = name === 'positions.live' || route.method !== 'GET' ? await sendExample(portal.app, name, signIn) : await read()
  return { status, code: readCode(text), hasMarker: portal.markers.some((marker) => text.includes(marker)) }

  async function read() {
    const { as = 'alice', after = [] } = example
    for (const earlier of after) await sendExample(portal.app, earlier, signIn)
    const period = example.query && 'not_after' in example.query ? { not_after: '2026-03-02T10:00:00Z' } : {}
    const url = buildUrl(route, { ...example, query: { ...example.query, ...period } })
    const response = await portal.app.inject({ method: 'GET', url, headers: authHeaders(route, as && (await signIn(as))) })
    return { status: response.statusCode, text: name === 'positions.track' ? readTrack(response.rawPayload) : response.body }
  }
}

/** The positions of a track as text. */
function readTrack(bytes: Buffer) {
  const { length, lat } = finish(decodeTrack(bytes))
  return Array.from({ length }, (_, index) => String(lat[index])).join(' ')
}

function finish<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** The error code of a JSON response; empty without one. */
const readCode = (text: string) => /"code":"(\w+)"/.exec(text)?.[1] ?? ''

describe('the calls of an owner', () => {
  const answers = {} as Record<State, Map<string, Answer>>
  beforeAll(async () => {
    for (const state of ['service', 'grace', 'resting'] as const) answers[state] = await answersIn(state)
  })
  const answer = (state: State, name: string) => answers[state].get(name)!

  test('the calls that show positions show the newest one in service and in grace', () => {
    const missing = (['service', 'grace'] as const).flatMap((state) =>
      SHOWS_POSITIONS.filter((name) => !answer(state, name).hasMarker).map((name) => `${name} in ${state}`),
    )
    expect(missing).toEqual([])
  })

  test('no call shows a position that a resting tracker has reported', () => {
    expect(endpoints.map(({ name }) => name).filter((name) => answer('resting', name).hasMarker)).toEqual([])
  })

  test('calls that need a subscription are refused in grace and while the tracker rests', () => {
    for (const state of ['grace', 'resting'] as const)
      for (const name of NEEDS_SUBSCRIPTION) expect(answer(state, name)).toMatchObject({ status: 409, code: 'subscription_required' })
  })

  test('a pause cannot be resumed after the end of its subscription', () => {
    for (const name of ENDS_WITH_THE_SUBSCRIPTION) {
      expect(answer('service', name).status).toBe(200)
      for (const state of ['grace', 'resting'] as const) expect(answer(state, name)).toMatchObject({ status: 400, code: 'no_change' })
    }
  })

  test('every other call has the same status in service, in grace and while the tracker rests', async () => {
    const others = endpoints.filter(
      ({ name }) => ![...NEEDS_SUBSCRIPTION, ...REFUSED_BEFORE_THE_END, ...ENDS_WITH_THE_SUBSCRIPTION].includes(name),
    )
    const failures = await collectFailures(
      others,
      ({ name }) => name,
      ({ name }) => {
        const { status, code } = answer('service', name)
        for (const state of ['grace', 'resting'] as const) expect(answer(state, name), state).toMatchObject({ status, code })
      },
    )
    expect(failures).toEqual([])
  })
})
