import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { routes } from '#server/test/examples/all.ts'
import { urlOf } from '#server/test/examples/request.ts'
import { PERSON, signedIn } from './test-people.ts'
import { onePortal } from './test-portal.ts'
import { FOREIGN_IN_BODY, insertStrangers, NOBODY, PLAIN_NUMBERS } from './test-samples.ts'

const portal = onePortal()

type Json = { [key: string]: Json } | Json[] | string | number | boolean | null

/** Names of the fields of a schema that hold an integer or a list of integers. */
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

/** The body with another id in that field, at any depth; null when it does not have the field. */
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

test.each(bodies)('each integer in the body of $name is known to be an id or not', ({ body }) => {
  const fields = numberFields(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }))
  expect(fields.filter((field) => !(field in FOREIGN_IN_BODY) && !PLAIN_NUMBERS.includes(field))).toEqual([])
})

describe('ids in request bodies', () => {
  const cases = signedIn.flatMap((each) => {
    const caller = each.route.access.includes('user') ? 'user' : 'admin'
    return Object.entries(FOREIGN_IN_BODY).flatMap(([field, ids]) => {
      const foreign = replaced(each.example.body ?? null, field, ids[caller])
      return foreign ? [{ ...each, field, caller, foreign, unknown: replaced(each.example.body, field, NOBODY) } as const] : []
    })
  })
  test('some request bodies contain ids', () => expect(cases.length).toBeGreaterThan(0))

  test.each(cases)(
    'R-6.9 a foreign id in $field of $name is answered like an unknown id',
    async ({ route, example, field, caller, foreign, unknown }) => {
      using own = await portal.fresh(PERSON[caller])
      await insertStrangers(own.world.db)
      const before = own.world.db.raw.serialize()
      const send = async (body: unknown, id: number) => {
        const { status, raw } = await portal.call(null, route.method, urlOf(route, example), body, own.headers)
        return { status, said: String(raw).replace(String(id), 'id') }
      }
      const answer = await send(foreign, FOREIGN_IN_BODY[field]![caller])
      expect([400, 404]).toContain(answer.status)
      expect(answer).toEqual(await send(unknown, NOBODY))
      expect(own.world.db.raw.serialize().equals(before)).toBe(true)
    },
  )
})
