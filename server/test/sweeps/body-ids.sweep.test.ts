import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { collectFailures } from '#server/test/collect-failures.ts'
import { endpoints } from '#server/test/examples/all.ts'
import { buildUrl } from '#server/test/examples/send-example.ts'
import { readVersion } from '#server/test/test-database.ts'
import { PERSON, sharedPortal, signedIn } from './test-endpoints.ts'
import { FOREIGN_IN_BODY, insertStrangers, NOBODY, PLAIN_NUMBERS } from './test-samples.ts'

const portal = sharedPortal()

type Json = { [key: string]: Json } | Json[] | string | number | boolean | null

test('every integer in a request body is classified as an id or not', async () => {
  const bodies = endpoints.flatMap(({ name, route }) => (route.body ? [{ name, body: route.body }] : []))
  const failures = await collectFailures(
    bodies,
    ({ name }) => name,
    ({ body }) => {
      const fields = numberFields(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }))
      expect(fields.filter((field) => !(field in FOREIGN_IN_BODY) && !PLAIN_NUMBERS.includes(field))).toEqual([])
    },
  )
  expect(failures).toEqual([])
})

test("R-6.9 another account's id in any request body is rejected like an unknown id and changes nothing", async () => {
  const rows = signedIn.flatMap((each) => {
    const caller = each.route.access.includes('user') ? ('user' as const) : ('admin' as const)
    return Object.entries(FOREIGN_IN_BODY).flatMap(([field, ids]) => {
      const foreign = replaceIds(each.example.body ?? null, field, ids[caller])
      return foreign ? [{ ...each, field, caller, foreign, unknown: replaceIds(each.example.body, field, NOBODY) }] : []
    })
  })
  const nameOfRow = ({ name, field }: (typeof rows)[number]) => `${field} of ${name}`
  const failures = await collectFailures(rows, nameOfRow, async ({ route, example, field, caller, foreign, unknown }) => {
    using own = await portal.fresh(PERSON[caller])
    await insertStrangers(own.world.db)
    const before = await readVersion(own.world.db)
    const send = async (body: unknown, id: number) => {
      const { status, raw } = await portal.call(null, route.method, buildUrl(route, example), body, own.headers)
      return { status, text: String(raw).replace(String(id), 'id') }
    }
    const response = await send(foreign, FOREIGN_IN_BODY[field]![caller])
    expect([400, 404]).toContain(response.status)
    expect(response).toEqual(await send(unknown, NOBODY))
    expect(await readVersion(own.world.db), 'the database is unchanged').toBe(before)
  })
  expect(failures).toEqual([])
})

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

/** The body with another id in that field, at any depth; null without the field. */
function replaceIds(body: unknown, field: string, id: number): Json | null {
  let found = false
  const text = JSON.stringify(body, (key, value) => {
    if (key !== field || value === null) return value
    found = true
    return Array.isArray(value) ? [id] : id
  })
  return found ? JSON.parse(text) : null
}
