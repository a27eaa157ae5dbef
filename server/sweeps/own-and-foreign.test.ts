import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROLES } from '#contracts/constants.ts'
import { type NamedRoute, routeOf } from '#server/examples/all.ts'
import { urlOf } from '#server/examples/request.ts'
import { startPortal } from '#server/mock/testing.ts'
import { PERSON, signedIn } from './test-people.ts'
import { parameterOf, sampleOf } from './test-samples.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
type Id = number | string

const withObject = signedIn.filter(({ route }) => parameterOf(route))
const cells = withObject.flatMap((each) => ROLES.map((role) => ({ ...each, role, may: each.route.access.includes(role) })))

/** The example of the call, about another object. */
async function ask(portal: Portal, { name, route }: NamedRoute, headers: Record<string, string>, id: Id) {
  const { example } = routeOf(name)
  const parameter = parameterOf(route)!
  const url = urlOf(route, { ...example, params: { ...example.params, [parameter]: id } })
  const { status, body } = await portal.call(null, route.method, url, example.body, headers)
  return { status, body }
}

describe('an object of the own', () => {
  const allowed = cells.filter(({ may, route, role }) => may && sampleOf(route).own[role] !== null)
  test.each(allowed)('R-6.1 R-6.4 $name is no secret for $role', async ({ role, ...each }) => {
    await using portal = await startPortal()
    const authorization = `Bearer ${await portal.token(PERSON[role])}`
    const { status, body } = await ask(portal, each, { authorization }, sampleOf(each.route).own[role]!)
    expect(body).not.toMatchObject({ code: expect.stringMatching(/^(not_found|permission_denied)$/) })
    expect(status).toBeLessThan(500)
  })
})

describe('an object of others', () => {
  let portal: Portal
  const authorization: Record<string, string> = {}
  beforeAll(async () => {
    portal = await startPortal()
    for (const role of ROLES) authorization[role] = `Bearer ${await portal.token(PERSON[role])}`
  })
  afterAll(() => portal[Symbol.asyncDispose]())
  const asked = cells.flatMap((cell) => {
    const { foreign, unknown } = sampleOf(cell.route)
    return [...foreign[cell.role], unknown].map((id) => ({ ...cell, id, unknown }))
  })

  test.each(asked.filter(({ may }) => may))(
    'R-6.9 $name answers $role about $id as if there were none',
    async ({ role, id, unknown, ...each }) => {
      const headers = { authorization: authorization[role]! }
      const before = portal.world.db.raw.serialize()
      const answer = await ask(portal, each, headers, id)
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(answer).toEqual(await ask(portal, each, headers, unknown))
      expect(portal.world.db.raw.serialize().equals(before)).toBe(true)
    },
  )

  test.each(asked.filter(({ may }) => !may))('R-6.1 R-6.4 $name about $id is not for $role', async ({ role, id, ...each }) => {
    const before = portal.world.db.raw.serialize()
    const answer = await ask(portal, each, { authorization: authorization[role]! }, id)
    expect(answer).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
    expect(portal.world.db.raw.serialize().equals(before)).toBe(true)
  })
})
