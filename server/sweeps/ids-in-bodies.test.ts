import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { routeOf, routes } from '#server/examples/all.ts'
import { urlOf } from '#server/examples/request.ts'
import { startPortal } from '#server/mock/testing.ts'
import { PERSON, signedIn } from './test-people.ts'
import { FOREIGN_IN_BODY, FOREIGN_TO_ADMIN, insertStrangers, NOBODY, PLAIN_NUMBERS } from './test-samples.ts'

type Json = { [key: string]: Json } | Json[] | string | number | boolean | null

/** Every field of a schema that takes a whole number, and every list of them. */
function numberFields(schema: object): string[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    if (typeof value !== 'object' || value === null) return []
    if (key !== 'properties') return numberFields(value)
    return Object.entries(value).flatMap(([name, field]) => [
      ...(/"type":"integer"/.test(JSON.stringify({ ...(field as object), properties: undefined })) && !hasProperties(field) ? [name] : []),
      ...numberFields(field as object),
    ])
  })
}
const hasProperties = (field: unknown) => JSON.stringify(field).includes('"properties"')

/** The body with another number in that field, wherever it stands; null when it does not stand there. */
function replaced(body: unknown, field: string, id: number): Json | null {
  let found = false
  const text = JSON.stringify(body, (key, value) => {
    if (key !== field || value === null) return value
    found = true
    return Array.isArray(value) ? [id] : id
  })
  return found ? JSON.parse(text) : null
}

const bodies = routes.flatMap(({ name, route }) => (route.body ? [{ name, body: route.body }] : []))

test.each(bodies)('each whole number in the body of $name is known to name an object or none', ({ body }) => {
  const fields = numberFields(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }))
  expect(fields.filter((field) => !(field in FOREIGN_IN_BODY) && !PLAIN_NUMBERS.includes(field))).toEqual([])
})

describe('an id in a body', () => {
  const callerOf = ({ access }: (typeof signedIn)[number]['route']) => (access.includes('user') ? PERSON.user : PERSON.admin)
  const cases = signedIn.flatMap((each) =>
    Object.entries(callerOf(each.route) === PERSON.user ? FOREIGN_IN_BODY : FOREIGN_TO_ADMIN).flatMap(([field, id]) => {
      const { example } = routeOf(each.name)
      const foreign = replaced(example.body ?? null, field, id)
      return foreign ? [{ ...each, field, foreign, unknown: replaced(example.body, field, NOBODY) }] : []
    }),
  )
  test('stands in some bodies', () => expect(cases.length).toBeGreaterThan(0))

  test.each(cases)('R-6.9 $field of $name: another account is as good as nobody', async ({ name, route, foreign, unknown }) => {
    await using portal = await startPortal()
    await insertStrangers(portal.world.db)
    const authorization = `Bearer ${await portal.token(callerOf(route))}`
    const before = portal.world.db.raw.serialize()
    const send = async (body: unknown) => {
      const { status, body: said } = await portal.call(null, route.method, urlOf(route, routeOf(name).example), body, { authorization })
      return { status, said }
    }
    const answer = await send(foreign)
    expect([400, 404]).toContain(answer.status)
    expect(answer).toEqual(await send(unknown))
    expect(portal.world.db.raw.serialize().equals(before)).toBe(true)
  })
})
