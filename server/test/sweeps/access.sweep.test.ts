import { expect, test } from 'vitest'
import { CSRF_HEADER } from '#contracts/lib/requests.ts'
import { ROLES, rights } from '#contracts/lib/rights.ts'
import { findContentType, getSuccess } from '#contracts/lib/route.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { endpointName, PERSON, pathWithUnknownIds, type SignedInEndpoint, sharedPortal, signedIn } from './test-endpoints.ts'

const portal = sharedPortal()

test('the sweeps cover every signed-in endpoint', () => {
  expect(signedIn.length).toBeGreaterThanOrEqual(30)
})

test('R-6.8 every signed-in endpoint responds 401 without a valid token', async () => {
  const failures = await collectFailures(signedIn, endpointName, async ({ route }) => {
    for (const authorization of ['', 'Bearer 0000', 'Basic abc']) {
      const response = await portal.call(null, route.method, pathWithUnknownIds(route), undefined, { authorization })
      expect(response).toMatchObject({ status: 401, body: { code: 'not_authenticated' } })
    }
  })
  expect(failures).toEqual([])
})

test('every writing endpoint called with only the session cookie needs the CSRF header', async () => {
  const writing = signedIn.filter(({ route }) => route.method !== 'GET')
  const failures = await collectFailures(writing, endpointName, async ({ route }) => {
    const cookie = `sessionid=${await portal.token(PERSON.user)}; csrftoken=abc`
    for (const header of [{}, { [CSRF_HEADER]: 'abd' }] as Record<string, string>[]) {
      const response = await portal.call(null, route.method, pathWithUnknownIds(route), undefined, { cookie, ...header })
      expect(response).toMatchObject({ status: 403, body: { code: 'csrf_failed' } })
    }
  })
  expect(failures).toEqual([])
})

test('a device with a wrong key is rejected with 401', async () => {
  const message = { identifier: '1000000001', positions: [] }
  const response = await portal.call(null, 'POST', '/devices/ingest/', message, { 'x-device-key': 'wrong' })
  expect(response).toMatchObject({ status: 401, body: { code: 'invalid_device_key' } })
})

test('R-6.1 every endpoint is allowed or forbidden to each role as the contract says', async () => {
  const isStream = ({ route }: SignedInEndpoint) => findContentType(getSuccess(route).schema) === 'text/event-stream'
  const cells = signedIn.filter((each) => !isStream(each)).flatMap((each) => ROLES.map((role) => ({ ...each, role })))
  const nameOfCell = ({ name, role }: (typeof cells)[number]) => `${name} as ${role}`
  const failures = await collectFailures(cells, nameOfCell, async ({ route, role }) => {
    const response = await portal.call(PERSON[role], route.method, pathWithUnknownIds(route))
    expect(response.status === 403, `${response.status} ${JSON.stringify(response.body)}`).toBe(!route.access.includes(role))
    expect(response.status).toBeLessThan(500)
  })
  expect(failures).toEqual([])
})

test('where a second factor is required, support and administrators without one can use only their own profile', async () => {
  await using strict = await startPortal({ secondFactor: { isRequired: true } })
  const rows = signedIn
    .filter(({ route }) => route.access !== rights.ownProfile)
    .flatMap((each) =>
      (['admin', 'deepsupport'] as const).filter((role) => each.route.access.includes(role)).map((role) => ({ ...each, role })),
    )
  expect(rows.length).toBeGreaterThan(60)
  const tokens = { admin: await strict.token(PERSON.admin), deepsupport: await strict.token(PERSON.deepsupport) }
  const failures = await collectFailures(rows, endpointName, async ({ route, role }) => {
    const headers = { authorization: `Bearer ${tokens[role]}` }
    const { status, body } = await strict.call(null, route.method, pathWithUnknownIds(route), undefined, headers)
    expect([status, body]).toEqual([403, { detail: 'permission denied', code: 'permission_denied', reason: 'second_factor' }])
  })
  expect(failures).toEqual([])
})
