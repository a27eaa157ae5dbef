import { beforeAll, describe, expect, test } from 'vitest'
import { isDeed, type Route, type StaffAccess } from '#contracts/lib/route.ts'
import { STAFF_ROLES, type StaffRole, staffRights } from '#contracts/lib/staff-rights.ts'
import { operatorApi } from '#contracts/operator/index.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { PERSON, pathWithUnknownIds } from './test-endpoints.ts'

type Guarded = { name: string; route: Route & { access: StaffAccess } }

const routes = Object.entries(operatorApi).flatMap(([tag, contract]) =>
  Object.entries(contract).map(([name, route]) => ({ name: `${tag}.${name}`, route: route as Route })),
)
const guarded = routes.filter((each): each is Guarded => typeof each.route.access === 'object')
const nameOf = ({ name }: { name: string }) => name

let portal: Awaited<ReturnType<typeof startPortal>>
const staff = {} as Record<StaffRole, Record<string, string>>
beforeAll(async () => {
  portal = await startPortal({ limits: { credentials: false } })
  for (const role of STAFF_ROLES) staff[role] = await signInStaffAs(portal.world, { email: `${role}@shop.example`, name: role, role })
  return () => portal[Symbol.asyncDispose]()
})

const send = ({ route }: { route: Route }, headers: Record<string, string>) =>
  portal.call(null, route.method, pathWithUnknownIds(route), undefined, headers)

describe("every call of the operator's API", () => {
  test('is guarded by one of the rights, but for the sign-in and the invitation', async () => {
    expect(guarded.length).toBeGreaterThanOrEqual(8)
    expect(routes.filter(({ route }) => route.access === 'public').map(nameOf)).toEqual([
      'staffSession.signIn',
      'staffSession.openInvitation',
      'staffSession.acceptInvitation',
    ])
    expect(guarded.filter(({ route }) => !Object.values(staffRights).some((right) => right === route.access.staff))).toEqual([])
    expect(routes.filter(({ route }) => route.provenance !== 'ours' || !route.path.startsWith('/operator/api/'))).toEqual([])
  })

  test('refuses callers without a session, owners, support, devices and made-up keys with 401', async () => {
    const owners = await Promise.all(Object.values(PERSON).map((email) => portal.token(email)))
    const strangers = [
      {},
      ...owners.map((token) => ({ authorization: `Bearer ${token}` })),
      ...owners.map((token) => ({ cookie: `sessionid=${token}; staffid=${token}` })),
      { authorization: `Bearer ${'0'.repeat(40)}` },
      { 'x-device-key': 'demo-device-key' },
      { cookie: 'staffid=' },
    ] as Record<string, string>[]
    const failures = await collectFailures(guarded, nameOf, async (each) => {
      for (const headers of strangers) expect(await send(each, headers)).toMatchObject({ status: 401, body: { code: 'not_authenticated' } })
    })
    expect(failures).toEqual([])
  })

  test('is allowed or forbidden to each role as the contract says', async () => {
    const cells = guarded
      .filter(({ name }) => name !== 'staffSession.end')
      .flatMap((each) => STAFF_ROLES.map((role) => ({ ...each, name: `${each.name} as ${role}`, role })))
    const failures = await collectFailures(cells, nameOf, async ({ role, ...each }) => {
      const response = await send(each, staff[role])
      expect(response.status === 403, `${response.status} ${JSON.stringify(response.body)}`).toBe(!each.route.access.staff.includes(role))
      expect(response.status).toBeLessThan(500)
    })
    expect(failures).toEqual([])
  })

  test('needs the header of the session when it changes something', async () => {
    const failures = await collectFailures(
      guarded.filter(({ route }) => route.method !== 'GET'),
      nameOf,
      async (each) => {
        const { cookie } = staff.admin as { cookie: string }
        for (const header of [{}, { 'x-csrftoken': 'f'.repeat(40) }] as Record<string, string>[])
          expect(await send(each, { cookie, ...header })).toMatchObject({ status: 403, body: { code: 'csrf_failed' } })
      },
    )
    expect(failures).toEqual([])
  })

  test('that is a deed refuses an Idempotency-Key with blanks', async () => {
    const failures = await collectFailures(
      guarded.filter(({ route }) => isDeed(route)),
      nameOf,
      async (each) => expect((await send(each, { ...staff.admin, 'idempotency-key': 'a b' })).status).toBeOneOf([400, 404]),
    )
    expect(failures).toEqual([])
  })
})

test('a session of staff opens no call of an owner', async () => {
  const headers = { cookie: staff.admin.cookie!.replace('staffid', 'sessionid') }
  expect((await portal.call(null, 'GET', '/users/me/', undefined, headers)).status).toBe(401)
})
