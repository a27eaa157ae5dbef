import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import type { Route } from '#contracts/lib/route.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { api } from './index.ts'

type Definition = {
  type: string
  in: z.ZodMiniType
  element: z.ZodMiniType
  shape: Record<string, z.ZodMiniType>
  options: z.ZodMiniType[]
  innerType?: z.ZodMiniType
}

type Field = { path: string; schema: z.ZodMiniType }

/** Free-text fields of the API's requests: every string that is not an enum, a date or the like. */
function listTexts(path: string, schema: z.ZodMiniType): Field[] {
  const def = schema._zod.def as unknown as Definition
  if (def.type === 'string') return [{ path, schema }]
  if (def.type === 'pipe') return listTexts(path, def.in).length > 0 ? [{ path, schema }] : []
  if (def.type === 'object') return Object.entries(def.shape).flatMap(([key, field]) => listTexts(`${path}.${key}`, field))
  if (def.type === 'array') return listTexts(`${path}[]`, def.element)
  if (def.type === 'union') return def.options.flatMap((option) => listTexts(path, option))
  return def.innerType ? listTexts(path, def.innerType) : []
}

const fields = Object.entries(api).flatMap(([resource, routes]) =>
  Object.entries(routes as Record<string, Route>).flatMap(([name, { body, query }]) =>
    [body, query].flatMap((schema) => (schema ? listTexts(`${resource}.${name}`, schema) : [])),
  ),
)

/** Texts that are compared unchanged, or that a handler normalizes, by the end of their path. */
const AS_THEY_ARE = [
  // Older hashes were made from the password as typed.
  /\.(password|old_password|new_password)$/,
  // Normalized by `normalizeIdentifier` and `normalizeSerial`, with errors of their own.
  /\.(identifier|serial)$/,
  // Values made by programs.
  /\.challenge$|\.passkey\.|\.(type|profile|action|device|price|options\[\]|endpoint|filter)$/,
  // Paths on this site, and into a payload.
  /_path$|^uplinkMappings\.save\.\w+$/,
  // Ids that are looked up among the accepted values.
  /\.items\[\]\.\w+$|\.time_zone$/,
]

test('no text of a request contains invisible characters, unless it is listed here', async () => {
  const free = fields.filter(({ path }) => !AS_THEY_ARE.some((exception) => exception.test(path)))
  expect(free.length).toBeGreaterThan(50)
  const failures = await collectFailures(
    free,
    ({ path }) => path,
    ({ schema }) => {
      for (const typed of ['Re\u200bx', '\u202eRex', 'Rex\u00ad@mail.example', '12345678\u200b90', '\ufeffhttps://lora.example']) {
        const { data } = schema.safeParse(typed)
        expect(String(data ?? '')).not.toMatch(/\p{Default_Ignorable_Code_Point}/u)
      }
    },
  )
  expect(failures).toEqual([])
})

test('accents of all names of the API are stored in composed form', async () => {
  const names = fields.filter(({ path }) => /(name|label|address|description|message)$/.test(path))
  expect(names.length).toBeGreaterThan(20)
  const failures = await collectFailures(
    names,
    ({ path }) => path,
    ({ schema }) => expect(schema.safeParse('Ve\u0301lo').data).toBe(schema.safeParse('V\u00e9lo').data),
  )
  expect(failures).toEqual([])
})
