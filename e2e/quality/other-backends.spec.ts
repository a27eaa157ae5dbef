import type { Browser } from '@playwright/test'
import { expect, type TestWorld, test } from '#e2e/portal.ts'
import { groups, nameOf, type Screen, screens, WITHOUT_DATA } from '#e2e/screens/screens.ts'
import { startStaticHost } from '#e2e/static-host.ts'
import { takeTurns, type Visit, visitScreens } from '#e2e/sweep.ts'
import { backends } from '#server/test/stand-ins/backends.ts'
import type { Habit } from '#server/test/stand-ins/habit.ts'
import { pagesWithResults } from '#server/test/stand-ins/shape-habits.ts'
import { startStandIn } from '#server/test/stand-ins/stand-in.ts'
import type { RouteName } from '#web/lib/navigation/routing.ts'

// A backend with another format breaks the contract on purpose.
test.use({ violations: 'allowed' })

const TRACKER_OF_NEXT_YEAR = 2
const alice = (name: RouteName, path: string): Screen => ({ name, path, as: 'alice', state: 'other' })

const plain = screens.filter(({ state }) => state === undefined)

/** The screens that show data, each in its initial state, plus those of a tracker with unknown enum values. */
const swept: Screen[] = [
  ...plain.filter(({ name }) => !WITHOUT_DATA.has(name)),
  alice('tracker', `/trackers/${TRACKER_OF_NEXT_YEAR}`),
  alice('trackerHistory', `/trackers/${TRACKER_OF_NEXT_YEAR}/history`),
  alice('trackerSettings', `/trackers/${TRACKER_OF_NEXT_YEAR}/settings`),
]

/** Screens that the specification does not cover: places, alerts, contacts, tags, orders, the history and the like. */
const UNSPECIFIED = new Set<RouteName>([
  ...groups.places.map(({ name }) => name),
  ...(['trackerHistory', 'tags', 'pubTrackers', 'appTheftFile', 'conflictingSerial', 'administrationUsers'] as const),
  ...(['orders', 'order', 'invoices', 'paymentMethods'] as const),
])

/** Screens on which people look for names, which must be there with every backend. */
const MAIN = new Set<RouteName>([
  'index',
  'map',
  'tracker',
  'trackerHistory',
  'trackers',
  'places',
  'place',
  'alerts',
  'contacts',
  'orders',
  'tags',
])
const isMain = ({ name, as }: Screen) => MAIN.has(name) && as === 'alice'

type Kind = 'tracker' | 'address' | 'place' | 'alert' | 'contact' | 'tag' | 'order'

/** Whether a backend has all names of a kind: the specification covers trackers only, and a backend that omits fields may omit these. */
function hasAll(backend: string, screen: Screen, kind: Kind) {
  if (backend.startsWith('documentedOnly')) return kind === 'tracker' || kind === 'address'
  if (backend !== 'sparse') return true
  // A tracker without a position is on no map and at no place; an alert without a place shows none, and is on no place's page.
  if (kind === 'tracker') return screen.name !== 'map'
  const isOfPlaces = screen.name.startsWith('place')
  return kind === 'order' || (kind === 'contact' && !isOfPlaces) || (kind === 'place' && isOfPlaces)
}

test('screens without data send no request to the backend', async ({ browser, world, server }) => {
  const received: string[] = []
  const listen: Habit = { name: 'listens', stage: 'answer', refuse: ({ path }) => void received.push(path) }
  const visits = await sweep(
    browser,
    [listen],
    plain.filter(({ name }) => WITHOUT_DATA.has(name)),
    { world, server },
  )
  expect(visits).toHaveLength(WITHOUT_DATA.size)
  expect(visits.flatMap(({ problems }) => problems)).toEqual([])
  expect(received).toEqual([])
})

const { slowPaged, ...others } = backends
const onePage = pagesWithResults().name

/** Each sweep takes long, so the slow backend with short pages is also the one whose long lists would be one page of the same form. */
const sweptBackends: Record<string, readonly Habit[]> = {
  ...others,
  djangoRestFramework: [...others.djangoRestFramework.filter(({ name }) => name !== onePage), ...slowPaged],
}

const isAlwaysSwept = (screen: Screen) => isMain(screen) || screen.state !== undefined
const inTurns = swept.filter((screen) => !isAlwaysSwept(screen))

for (const [turn, [backend, habits]] of Object.entries(sweptBackends).entries()) {
  test(`the screens with data work with the backend ${backend}, and show the same names`, async ({ browser, world, server }) => {
    test.setTimeout(240_000)
    const isUnspecified = ({ name }: Screen) => backend.startsWith('documentedOnly') && UNSPECIFIED.has(name)
    const expected = await readNames(browser, world, server)
    const namesFor = (screen: Screen) => {
      const named = isMain(screen) && !isUnspecified(screen) ? (expected.get(nameOf(screen)) ?? []) : []
      return named.flatMap(({ kind, name }) => (hasAll(backend, screen, kind) ? name : []))
    }
    const visited = [...swept.filter(isAlwaysSwept), ...takeTurns(inTurns, turn)]
    const visits = await sweep(browser, habits, visited, { world, server, mayLack: isUnspecified, namesFor })
    const missing = visits.flatMap(({ screen, text }) => {
      const lost = namesFor(screen).filter((name) => !text.includes(name))
      return lost.length > 0 ? [`${nameOf(screen)} (${screen.path}) lacks ${lost.join(', ')}`] : []
    })
    expect([...visits.flatMap(({ problems }) => problems), ...missing].sort()).toEqual([])
  })

  test(`people sign in to the backend ${backend}`, async ({ page, world, server }) => {
    await using standIn = await startStandIn(habits, { upstream: server, world: world.id })
    await using host = await startStaticHost(configFor(standIn.origin, server))
    await page.goto(`${host.origin}/login`)
    await page.getByLabel('E-mail or username').fill('alice@example.com')
    await page.getByLabel('Password', { exact: true }).fill('Demo-1234')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('link', { name: /Rex/ }).first()).toBeVisible()
  })
}

type Sweep = { world: TestWorld; server: string; mayLack?: (screen: Screen) => boolean; namesFor?: (screen: Screen) => string[] }

async function sweep(browser: Browser, habits: readonly Habit[], all: readonly Screen[], { world, server, ...given }: Sweep) {
  await using standIn = await startStandIn(habits, { upstream: server, world: world.id })
  await using host = await startStaticHost(configFor(standIn.origin, server))
  return await visitScreens(browser, all, { host: host.origin, world, mayLack: () => false, namesFor: () => [], ...given })
}

const configFor = (apiBaseUrl: string, server: string) => ({
  apiBaseUrl,
  productName: 'Whereabouts',
  supportEmail: 'help@example.com',
  tiles: { url: `${server}/mock/tiles/{z}/{x}/{y}.svg?theme={theme}`, attribution: '© OpenStreetMap contributors', maxZoom: 19 },
})

type Named = { kind: Kind; name: string }
let known: Promise<Map<string, Named[]>> | undefined

/** The names on each main screen with the unmodified backend; the same in every world, so they are read once. */
const readNames = (browser: Browser, world: TestWorld, server: string) => {
  known ??= findNames(browser, world, server)
  return known
}

async function findNames(browser: Browser, world: TestWorld, server: string) {
  const api = world.api('alice')
  const devices = await api.devices.list({ query: { type: 'tracker' } })
  const named = (kind: Kind, names: readonly (string | null)[]): Named[] => names.flatMap((name) => (name ? { kind, name } : []))
  const namesOf = (entries: readonly { name: string | null }[]) => entries.map(({ name }) => name)
  const names = [
    ...named('tracker', namesOf(devices)),
    ...named('address', [...new Set(devices.map(({ tracker_status }) => tracker_status.last_address))]),
    ...named('place', namesOf(await api.places.list())),
    ...named('alert', namesOf(await api.alerts.list())),
    ...named('contact', namesOf(await api.contacts.list())),
    ...named('tag', namesOf(await api.tags.list())),
    ...named(
      'order',
      (await api.orders.list()).map(({ reference }) => reference),
    ),
  ]
  const visits = await sweep(browser, [], swept.filter(isMain), { world, server })
  expect(visits.flatMap(({ problems }) => problems)).toEqual([])
  return new Map(visits.map((visit) => [nameOf(visit.screen), findIn(visit, names)]))
}

function findIn({ screen, text }: Visit, names: Named[]) {
  const found = names.filter(({ name }) => text.includes(name))
  if (found.length === 0) throw new Error(`${nameOf(screen)} shows no name, so nothing would be compared`)
  return found
}
