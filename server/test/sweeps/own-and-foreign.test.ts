import { beforeAll, describe, expect, test } from 'vitest'
import { ROLES, type Role } from '#contracts/lib/constants.ts'
import { urlOf } from '#server/test/examples/request.ts'
import { PERSON, type SignedInRoute, signedIn } from './test-people.ts'
import { onePortal } from './test-portal.ts'
import { parameterOf, sampleOf } from './test-samples.ts'

type Id = number | string

const portal = onePortal()
const withObject = signedIn.filter(({ route }) => parameterOf(route))
const cells = withObject.flatMap((each) => {
  const sample = sampleOf(each.route)
  return sample ? ROLES.map((role) => ({ ...each, sample, role, may: each.route.access.includes(role) })) : []
})

/** Sends the example of the endpoint with another id. */
async function ask({ route, example }: SignedInRoute, headers: Record<string, string>, id: Id) {
  const parameter = parameterOf(route)!
  const url = urlOf(route, { ...example, params: { ...example.params, [parameter]: id } })
  const { status, body } = await portal.call(null, route.method, url, example.body, headers)
  return { status, body }
}

test.each(withObject)('the samples say who owns the objects of $name', ({ route }) => expect(sampleOf(route)).not.toBeNull())

describe('objects in scope', () => {
  const allowed = cells.flatMap(({ sample, ...cell }) => {
    const id = sample.own[cell.role]
    return cell.may && id !== null ? [{ ...cell, id }] : []
  })
  test.each(allowed)('R-6.1 R-6.4 $name finds an object in the scope of $role', async ({ role, id, ...each }) => {
    using own = await portal.fresh(PERSON[role])
    const { status, body } = await ask(each, own.headers, id)
    expect(body).not.toMatchObject({ code: expect.stringMatching(/^(not_found|permission_denied)$/) })
    expect(status).toBeLessThan(500)
  })
})

describe('objects out of scope', () => {
  let into: Record<Role, Awaited<ReturnType<typeof portal.fresh>>>
  beforeAll(async () => {
    const [user, pro, admin, deepsupport] = await Promise.all(ROLES.map((role) => portal.fresh(PERSON[role])))
    into = { user: user!, pro: pro!, admin: admin!, deepsupport: deepsupport! }
  })
  const asked = cells.flatMap((cell) => {
    const { foreign, unknown } = cell.sample
    return [...foreign[cell.role], unknown].map((id) => ({ ...cell, id, unknown }))
  })

  test.each(asked.filter(({ may }) => may))(
    'R-6.9 $name answers $role about $id like an unknown id',
    async ({ role, id, unknown, ...each }) => {
      const { headers, world } = into[role]
      const before = world.db.raw.serialize()
      const answer = await ask(each, headers, id)
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(answer).toEqual(await ask(each, headers, unknown))
      expect(world.db.raw.serialize().equals(before)).toBe(true)
    },
  )

  test.each(asked.filter(({ may }) => !may))('R-6.1 R-6.4 $name about $id is forbidden to $role', async ({ role, id, ...each }) => {
    const { headers, world } = into[role]
    const before = world.db.raw.serialize()
    const answer = await ask(each, headers, id)
    expect(answer).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
    expect(world.db.raw.serialize().equals(before)).toBe(true)
  })
})
