import * as z from 'zod'
import { type Route, uploadOf } from '#contracts/lib/route.ts'

/** A field of an endpoint, typed as `--name value`. */
export type Field = {
  name: string
  part: 'params' | 'query' | 'body'
  /** Its position within that part. */
  path: readonly string[]
  /** `value` is JSON if it parses, otherwise text; `file` is a path whose content is sent. */
  kind: 'text' | 'number' | 'switch' | 'json' | 'value' | 'file'
  isList: boolean
  isRequired: boolean
  choices: readonly string[]
}

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
}

const PARTS = ['params', 'query', 'body'] as const

/** Returns the fields of an endpoint. Nested fields go by their own name (`match.route` as `--route`). */
export const fieldsOf = (route: Route): Field[] =>
  PARTS.flatMap((part) => {
    const schema = route[part]
    if (!schema || uploadOf(schema)) return []
    return fieldsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema).map((field) => ({ ...field, part }))
  })

type Found = Omit<Field, 'part'>

function fieldsIn(schema: Schema): Found[] {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return merged(alternatives.flatMap(fieldsIn), alternatives.length)
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    if (value.properties) return fieldsIn(value).map((field) => ({ ...field, path: [key, ...field.path] }))
    return [fieldOf(key, value, schema.required?.includes(key) ?? false)]
  })
}

function fieldOf(key: string, schema: Schema, isRequired: boolean): Found {
  const isList = schema.type === 'array' && schema.items?.type === 'string'
  const one = isList ? schema.items! : schema
  return { name: key.replaceAll('_', '-'), path: [key], kind: kindOf(one), isList, isRequired, choices: choicesOf(one) }
}

function kindOf({ type, enum: values, const: value, anyOf }: Schema): Field['kind'] {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'switch'
  const isText = type === 'string' || values !== undefined || value !== undefined
  if (isText || anyOf?.every((one) => kindOf(one) === 'text')) return 'text'
  return type !== undefined || anyOf?.every((one) => NO_TEXT.includes(kindOf(one))) ? 'json' : 'value'
}

const NO_TEXT: readonly Field['kind'][] = ['number', 'switch', 'json']

const choicesOf = ({ enum: values, const: value, anyOf = [] }: Schema): string[] => [
  ...[...(values ?? []), ...(value === undefined ? [] : [value])].map(String),
  ...anyOf.flatMap(choicesOf),
]

/** Joins fields of the same name in several alternatives; required only if each alternative requires it. */
const merged = (fields: Found[], alternatives: number): Found[] =>
  [...new Set(fields.map(({ name }) => name))].map((name) => {
    const same = fields.filter((field) => field.name === name)
    return {
      ...same[0]!,
      isRequired: same.length === alternatives && same.every(({ isRequired }) => isRequired),
      choices: [...new Set(same.flatMap(({ choices }) => choices))],
    }
  })
