import fc from 'fast-check'
import * as z from 'zod/mini'
import { hostileText } from './test-hostile.ts'

type Schema = {
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** Values that match a schema, or almost: JSON Schema does not express patterns and refinements. */
export const fromSchema = (schema: z.ZodMiniType) => arbitrary(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema)

function arbitrary(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(arbitrary))
  switch (schema.type) {
    case 'string':
      return text(schema)
    case 'integer':
      return fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer(bounds(schema)))
    case 'number':
      return fc.oneof(fc.integer(bounds(schema)), fc.double({ ...bounds(schema), noNaN: true }))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(arbitrary(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 5, 5) })
    case 'object':
      return record(schema)
    default:
      return fc.jsonValue({ maxDepth: 1 })
  }
}

const bounds = ({ minimum = -1e6, maximum = 1e6 }: Schema) => ({
  min: Math.max(Math.ceil(minimum), -(2 ** 31)),
  max: Math.min(Math.floor(maximum), 2 ** 31 - 1),
})

const record = ({ properties = {}, required = [] }: Schema) =>
  fc.record(Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, arbitrary(field)])), {
    requiredKeys: Object.keys(properties).filter((name) => required.includes(name)),
  })

function text({ format, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') return instant.map((date) => date.toISOString())
  if (format === 'date') return instant.map((date) => date.toISOString().slice(0, 10))
  if (format === 'uuid') return fc.uuid()
  if (format === 'email') return fc.emailAddress()
  const some = fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) })
  return fc.oneof(
    some,
    hostileText,
    fc.emailAddress(),
    fc.stringMatching(/^\d{8}-\d{2}$/),
    fc.stringMatching(/^[A-Z0-9]{12}$/),
    fc.constant('/subscription'),
  )
}

const instant = fc.oneof(
  fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }),
  fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
)
