import { beforeAll, expect, test } from 'vitest'
import { ROLES, type Role } from '#contracts/lib/rights.ts'
import type { SqliteDb } from '#db/sqlite/open.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { buildUrl } from '#server/test/examples/send-example.ts'
import { readVersion } from '#server/test/test-database.ts'
import { endpointName, PERSON, type SignedInEndpoint, sharedPortal, signedIn } from './test-endpoints.ts'
import { findSample, idParameter } from './test-samples.ts'

type Id = number | string

const portal = sharedPortal()
const withObject = signedIn.filter(({ route }) => idParameter(route))
const cells = withObject.flatMap((each) => {
  const sample = findSample(each.route)
  return sample ? ROLES.map((role) => ({ ...each, sample, role, may: each.route.access.includes(role) })) : []
})
type Row = SignedInEndpoint & { role: Role; id: Id }
const nameOfRow = ({ name, role, id }: Row) => `${name} as ${role} about ${id}`

async function send({ route, example }: SignedInEndpoint, headers: Record<string, string>, id: Id) {
  const parameter = idParameter(route)!
  const url = buildUrl(route, { ...example, params: { ...example.params, [parameter]: id } })
  const { status, body } = await portal.call(null, route.method, url, example.body, headers)
  return { status, body }
}

let worlds: Record<Role, Awaited<ReturnType<typeof portal.fresh>>>
beforeAll(async () => {
  const [user, pro, admin, deepsupport] = await Promise.all(ROLES.map((role) => portal.fresh(PERSON[role])))
  worlds = { user: user!, pro: pro!, admin: admin!, deepsupport: deepsupport! }
})

test("the samples list the owners of every endpoint's objects", async () => {
  expect(await collectFailures(withObject, endpointName, ({ route }) => expect(findSample(route)).not.toBeNull())).toEqual([])
})

test('R-6.1 R-6.4 every endpoint finds the objects in the scope of each role', async () => {
  const inScope = cells.flatMap(({ sample, ...cell }) => {
    const id = sample.own[cell.role]
    return cell.may && id !== null ? [{ ...cell, id }] : []
  })
  const failures = await collectFailures(inScope, nameOfRow, async ({ role, id, ...each }) => {
    using own = each.route.safety === 'read' ? null : await portal.fresh(PERSON[role])
    const { status, body } = await send(each, (own ?? worlds[role]).headers, id)
    expect(body).not.toMatchObject({ code: expect.stringMatching(/^(not_found|permission_denied)$/) })
    expect(status).toBeLessThan(500)
  })
  expect(failures).toEqual([])
})

const outOfScope = cells.flatMap((cell) => {
  const { foreign, unknown } = cell.sample
  return [...foreign[cell.role], unknown].map((id) => ({ ...cell, id, unknown }))
})

test("R-6.9 every endpoint responds to another account's id as to an unknown one and changes nothing", async () => {
  const allowed = outOfScope.filter(({ may }) => may)
  const expectUnchanged = await watchDatabases()
  const failures = await collectFailures(allowed, nameOfRow, async ({ role, id, unknown, ...each }) => {
    const { headers, world } = worlds[role]
    const response = await send(each, headers, id)
    expect(response).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(response).toEqual(await send(each, headers, unknown))
    await expectUnchanged(world.db)
  })
  expect(failures).toEqual([])
})

test('R-6.1 R-6.4 every endpoint is forbidden to the roles without access, whatever the id, and changes nothing', async () => {
  const forbidden = outOfScope.filter(({ may }) => !may)
  // The first rejection of each role is recorded in the security log, once an hour.
  const firsts = new Map(forbidden.map((row) => [row.role, row]))
  for (const { role, id, ...each } of firsts.values()) await send(each, worlds[role].headers, id)
  const expectUnchanged = await watchDatabases()
  const failures = await collectFailures(forbidden, nameOfRow, async ({ role, id, ...each }) => {
    const { headers, world } = worlds[role]
    expect(await send(each, headers, id)).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
    await expectUnchanged(world.db)
  })
  expect(failures).toEqual([])
})

/** Returns a check that the database is unchanged since the previous row, so that only the row that changed it fails. */
async function watchDatabases() {
  const before = new Map<SqliteDb, string>()
  for (const { world } of Object.values(worlds)) before.set(world.db, await readVersion(world.db))
  return async (db: SqliteDb) => {
    const version = await readVersion(db)
    const isUnchanged = version === before.get(db)
    before.set(db, version)
    expect(isUnchanged, 'the database is unchanged').toBe(true)
  }
}
