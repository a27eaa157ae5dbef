import { expect, test } from 'vitest'
import { endpoints } from '#scripts/contracts/client/endpoints.ts'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { ALICE, checkBackend, formatFindings, startListeningPortal } from './test-io.ts'
import { startStandIn } from './test-stand-in.ts'

const ORIGIN = 'https://portal.example'

test('the mock server keeps the contract: every read is checked or skipped for a reason, and no test data remains', async () => {
  await using portal = await startListeningPortal({ app: { corsOrigins: [ORIGIN] } })
  const before = (await portal.call('alice@example.com', 'GET', '/tracker_tags/')).body
  const { code, err, report } = await checkBackend(['--base', portal.base, ...ALICE, '--write', '--origin', ORIGIN])
  expect({ code, err, found: formatFindings(report) }).toEqual({ code: 0, err: '', found: [] })

  const reads = report.results.filter(({ level }) => level === 'reads')
  const tried = new Map(reads.map(({ name, verdict, note }) => [name, `${verdict} ${note}`]))
  const documented = endpoints.filter(({ route }) => route.method === 'GET')
  expect(documented.length).toBeGreaterThan(30)
  for (const { name } of documented) expect(tried.get(name), name).toMatch(/^pass \d{3} GET \/|^skipped \S/)
  expect(reads.filter(({ verdict }) => verdict === 'skipped').map(({ name, note }) => `${name}: ${note}`)).toEqual([
    'subscriptions.linkByCode: has side effects',
    'team.list: not permitted for the role user',
  ])
  expect((await portal.call('alice@example.com', 'GET', '/tracker_tags/')).body).toEqual(before)

  const assumed = new Map(report.assumed.map(({ name, state, reason }) => [name, `${state} ${reason}`.trim()]))
  expect(assumed.size).toBe(endpoints.filter(({ route }) => route.provenance === 'assumed').length)
  for (const name of ['devices.list', 'links.create', 'links.listOf', 'links.remove', 'orders.read', 'tags.update', 'trackers.change'])
    expect(assumed.get(name), name).toBe('confirmed')
  expect([assumed.get('team.list'), assumed.get('theft.open')]).toEqual([
    'untested not permitted for the role user',
    'untested not requested',
  ])
  expect([...assumed.values()].filter((state) => state.startsWith('refuted'))).toEqual([])
})

test('exactly the planted contract differences are found, and the portal copes with them', async () => {
  await using portal = await startListeningPortal()
  await portal.call(null, 'POST', '/mock/faults/presets/contract_drift')
  const { code, report } = await checkBackend(['--base', portal.base, ...ALICE])
  expect(code).toBe(0)
  expect(formatFindings(report)).toEqual([
    'enum? reads devices.list: *.type "tracker_99" is not one of tracker_01, tracker_02, tracker_03, tracker_04, tracker_06, triby',
    'tolerated reads places.list: *.radius nothing: the field is missing',
    'tolerated reads sessions.options: email_confirmed Invalid input: expected boolean, received string',
    'drift+ reads users.settings: nickname not in the contract',
  ])
  expect(report.assumed.filter(({ state }) => state === 'refuted').map(({ name }) => name)).toEqual(['devices.list', 'places.list'])
})

const NO_JSON = 'content-type text/html; charset=utf-8 with status'
const unknownIds = [
  ...['alerts.get', 'deviceKeys.list', 'devices.get', 'devices.config', 'devices.status', 'invoices.pdf', 'links.listOf', 'links.read'],
  ...['orders.read', 'places.get', 'positions.history', 'positions.exportCsv', 'sct2.read', 'theft.read', 'theft.form'],
].map((name) => `tolerated errors ${name}, unknown id: ${NO_JSON} 404 instead of JSON`)

const otherForms = endpoints
  .filter(({ name, route: { method, path } }) => method === 'GET' && !path.includes(':') && name !== 'team.list')
  .map(({ route: { path } }) =>
    path.endsWith('/')
      ? `drift+ preflight preflight.slash: redirect ${path.slice(0, -1)} redirects with 301 to ${path}`
      : `drift+ preflight preflight.slash: redirect ${path} redirects with 301 to ${path}/: one more request, and a POST there may lose its body`,
  )

test('a backend built with another framework gets a finding for each deviation and each difference from the mock server', async () => {
  await using portal = await startListeningPortal()
  await using backend = await startStandIn(portal)
  const { code, report } = await checkBackend(['--base', backend.base, ...ALICE, '--write', '--origin', ORIGIN, '--parity', portal.base])
  expect(code).toBe(1)
  expect(formatFindings(report)).toEqual([
    'fail preflight preflight.cors: OPTIONS /devices/ 404: a browser sends no request after that',
    'fail preflight preflight.cors: OPTIONS /users/settings/ 404: a browser sends no request after that',
    'fail preflight preflight.cors: the 401 of GET /users/me/ allows no origin instead of https://portal.example',
    'drift+ preflight preflight.cors: access-control-expose-headers Date is missing: the portal uses the clock of its device',
    'drift+ preflight preflight.cors: access-control-expose-headers Retry-After is missing: the portal guesses how long to wait after 429 and 503',
    ...otherForms,
    'enum? reads devices.list: *.type "tracker_05" is not one of tracker_01, tracker_02, tracker_03, tracker_04, tracker_06, triby',
    'drift+ reads devices.list: *.tracker_status.sub_state "suspended" is not one of none, not_activated, active, ended',
    'fail reads orders.list: status 500 instead of a success',
    'drift+ reads subscriptions.prices: redirect 301 to /users/tracker_prices/',
    'tolerated reads tags.list: a page of a list',
    `tolerated reads theft.read: ${NO_JSON} 404 instead of JSON`,
    'drift+ reads users.me: date_joined not in the contract',
    'tolerated errors sessions.signIn, wrong password: status 400 instead of 401 invalid_credentials',
    'fail errors users.register, empty body: redirect 301 to /users/register/: the body of a POST is lost',
    'fail errors orders.list, no token: status 500 instead of 401 not_authenticated',
    ...unknownIds,
    'tolerated write tags.list, after creating: a page of a list',
    'tolerated write tags.remove: status 204 is not in the contract',
    'tolerated write tags.list, after removing: a page of a list',
    'fail write contacts.update: phone was not updated',
    'tolerated write contacts.remove: status 204 is not in the contract',
    'fail write places.update: type changed although it was not in the update',
    'tolerated write places.remove: status 204 is not in the contract',
    'tolerated write links.remove: status 204 is not in the contract',
    'fail write links.create, a sixth link: status 201 instead of 409 too_many_links',
    'drift+ parity devices.list: etag only there',
    'drift+ parity devices.list: order same rows in another order',
    'drift+ parity invoices.pdf: content-disposition only there',
    'drift+ parity links.read, no token: content-type text/html here, application/json there',
    'drift+ parity links.read, no token: string here, object there',
    'drift+ parity orders.list, no token: status 500 here, 401 not_authenticated there',
    'drift+ parity orders.list: status 500 here, 200 there',
    'drift+ parity positions.exportCsv: content-disposition only there',
    'drift+ parity tags.list: object here, list there',
    'drift+ parity theft.read: content-type text/html here, application/json there',
    'drift+ parity theft.read: string here, object there',
    'drift+ parity theft.form: content-disposition only there',
    'drift+ parity users.me: date_joined only here',
  ])
  expect(report.assumed.filter(({ state }) => state === 'refuted').map(({ name }) => name)).toEqual([
    'contacts.remove',
    'devices.list',
    'links.remove',
    'places.remove',
    'tags.list',
    'tags.remove',
  ])
})

test('destructive endpoints are called for the disposable account only', async () => {
  await using portal = await startListeningPortal()
  const flags = ['--base', portal.base, ...ALICE, '--allow-destructive']
  const others = [{}, { CONTRACTS_DISPOSABLE: 'bruno@example.com' }]
  for (const env of others) expect(await checkBackend(flags, { env })).toMatchObject({ code: 2, report: null })
  expect(
    (await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: 'alice@example.com', password: DEMO_PASSWORD })).status,
  ).toBe(200)

  const { code, report } = await checkBackend(flags, { env: { CONTRACTS_DISPOSABLE: 'Alice@example.com' } })
  expect({ code, found: formatFindings(report) }).toEqual({ code: 0, found: [] })
  const tried = new Set(report.results.filter(({ level }) => ['write', 'destructive'].includes(level)).map(({ name }) => name))
  expect(endpoints.filter(({ name, route }) => route.safety === 'destructive' && !tried.has(name)).map(({ name }) => name)).toEqual([])
  const skipped = report.results.filter(({ level, verdict }) => level === 'destructive' && verdict === 'skipped')
  expect(skipped.map(({ name }) => name)).toEqual([
    'invoices.pay',
    'subscriptions.linkByCode',
    'trackers.add',
    'phoneTrackers.add',
    'positions.ingest',
    'serialChecks.check',
    'conflicts.requestUnlink',
    'team.invite',
    'team.remove',
    'users.register',
    'confirmations.confirmChange',
    'sessions.reset',
  ])
  expect(
    (await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: 'alice@example.com', password: DEMO_PASSWORD })).status,
  ).toBe(401)
})
