import { expect, test } from 'vitest'
import { findContentType, getSuccess } from '#contracts/lib/route.ts'
import { SCOPES, type Scope, TRACKER_SCOPES } from '#contracts/lib/scopes.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { buildUrl } from '#server/test/examples/send-example.ts'
import { readVersion } from '#server/test/test-database.ts'
import { endpointName, PERSON, pathWithUnknownIds, type SignedInEndpoint, sharedPortal, signedIn } from './test-endpoints.ts'
import { idParameter, NOBODY } from './test-samples.ts'

const { rex, coldBox } = SEED.devices

const portal = sharedPortal()
const answered = signedIn.filter(({ route }) => findContentType(getSuccess(route).schema) !== 'text/event-stream')

async function createToken(scopes: readonly Scope[], devices: number[] | null = null) {
  const { status, body } = await portal.call(PERSON.user, 'POST', '/users/tokens/', { label: 'Script', scopes, devices })
  expect(status).toBe(201)
  return { authorization: `Bearer ${body.token}` }
}

const isRefused = async ({ route }: SignedInEndpoint, headers: Record<string, string>) => {
  const { status } = await portal.call(null, route.method, pathWithUnknownIds(route), undefined, headers)
  expect([401, 500]).not.toContain(status)
  return status === 403
}

test('no call about the account, security, payments, the team, keys, links or claims has a scope', () => {
  const closed =
    /^\/(users|api|api-auth|options|tracker_public_share_links)\/|public_share_link|keys|theft|serial_check|unlink|activate\/$|network_/
  const open = signedIn.filter(({ route }) => route.scope && closed.test(route.path) && !route.path.endsWith('/network_activate/'))
  expect(open.map(endpointName)).toEqual([])
})

test('a call that changes something has a write scope, and any other one a read scope', async () => {
  const scoped = signedIn.filter(({ route }) => route.scope)
  const failures = await collectFailures(scoped, endpointName, ({ route }) => {
    expect(route.scope).toMatch(route.safety === 'read' ? /:read$/ : /:write$/)
  })
  expect(failures).toEqual([])
})

test('an API token with every scope can make exactly the calls with a scope', async () => {
  const headers = await createToken(SCOPES)
  const failures = await collectFailures(answered, endpointName, async (each) => {
    expect(await isRefused(each, headers)).toBe(each.route.scope === undefined)
  })
  expect(failures).toEqual([])
})

test('an API token with one scope can make only the calls of that scope', async () => {
  const tokens = new Map<Scope, Record<string, string>>()
  for (const scope of SCOPES) tokens.set(scope, await createToken([scope]))
  const rows = SCOPES.flatMap((scope) => answered.map((each) => ({ ...each, scope })))
  const nameOfRow = ({ name, scope }: (typeof rows)[number]) => `${name} with ${scope}`
  const failures = await collectFailures(rows, nameOfRow, async ({ scope, ...each }) => {
    expect(await isRefused(each, tokens.get(scope)!)).toBe(each.route.scope !== scope)
  })
  expect(failures).toEqual([])
})

test('every scope has a call, and a token for some trackers can have the scopes whose calls find only those', async () => {
  const filtered = [
    '/devices/',
    '/devices/live/',
    '/tracker_alerts/',
    '/tracker_alerts/:id/',
    '/tracker_alerts/dry_run/',
    '/alert_firings/',
    '/alert_silences/',
    '/alert_firings/:id/',
    '/tracker_places/suggestions/',
  ]
  const failures = await collectFailures(SCOPES, String, (scope) => {
    const paths = signedIn.filter(({ route }) => route.scope === scope).map(({ route }) => route.path)
    expect(paths.length).toBeGreaterThan(0)
    const isNarrow = paths.every((path) => path.startsWith('/devices/:id/') || filtered.includes(path))
    if (TRACKER_SCOPES.includes(scope)) expect(isNarrow).toBe(true)
  })
  expect(failures).toEqual([])
})

test('an API token for one tracker gets 404 for every other one, as for an unknown one, and changes nothing', async () => {
  const about = signedIn.filter(
    ({ route }) => route.path.startsWith('/devices/:id/') && TRACKER_SCOPES.some((each) => each === route.scope),
  )
  expect(about.length).toBeGreaterThan(20)
  using own = await portal.fresh(PERSON.user)
  const body = { label: 'Script', scopes: TRACKER_SCOPES, devices: [coldBox] }
  const created = await portal.call(null, 'POST', '/users/tokens/', body, own.headers)
  const headers = { ...own.headers, authorization: `Bearer ${created.body.token}` }
  const send = async ({ route, example }: SignedInEndpoint, id: number) => {
    const url = buildUrl(route, { ...example, params: { ...example.params, [idParameter(route)!]: id } })
    const { status, body } = await portal.call(null, route.method, url, example.body, headers)
    return { status, body }
  }
  await send(about[0]!, coldBox)
  const before = await readVersion(own.world.db)
  const failures = await collectFailures(about, endpointName, async (each) => {
    const response = await send(each, rex)
    expect(response).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(response).toEqual(await send(each, NOBODY))
    expect(await readVersion(own.world.db), 'the database is unchanged').toBe(before)
  })
  expect(failures).toEqual([])
})
