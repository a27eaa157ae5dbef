import * as z from 'zod'
import { findUpload, type Route } from '#contracts/lib/route.ts'

/** A field of an endpoint, typed as `--name value`. */
export type Field = {
  name: string
  part: 'params' | 'query' | 'body'
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

/** Returns the fields of an endpoint. Nested fields have their own name (`match.route` is `--route`). */
export const listFields = (route: Route): Field[] =>
  PARTS.flatMap((part) => {
    const schema = route[part]
    if (!schema || findUpload(schema)) return []
    return listSchemaFields(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema).map((field) => ({ ...field, part }))
  })

type SchemaField = Omit<Field, 'part'>

function listSchemaFields(schema: Schema): SchemaField[] {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return mergeAlternatives(alternatives.flatMap(listSchemaFields), alternatives.length)
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    if (value.properties) return listSchemaFields(value).map((field) => ({ ...field, path: [key, ...field.path] }))
    return [toField(key, value, schema.required?.includes(key) ?? false)]
  })
}

function toField(key: string, schema: Schema, isRequired: boolean): SchemaField {
  const isList = schema.type === 'array' && schema.items?.type === 'string'
  const one = isList ? schema.items! : schema
  return { name: key.replaceAll('_', '-'), path: [key], kind: fieldKind(one), isList, isRequired, choices: listChoices(one) }
}

function fieldKind({ type, enum: values, const: value, anyOf }: Schema): Field['kind'] {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'switch'
  const isText = type === 'string' || values !== undefined || value !== undefined
  if (isText || anyOf?.every((one) => fieldKind(one) === 'text')) return 'text'
  return type !== undefined || anyOf?.every((one) => NON_TEXT_KINDS.includes(fieldKind(one))) ? 'json' : 'value'
}

const NON_TEXT_KINDS: readonly Field['kind'][] = ['number', 'switch', 'json']

const listChoices = ({ enum: values, const: value, anyOf = [] }: Schema): string[] => [
  ...[...(values ?? []), ...(value === undefined ? [] : [value])].map(String),
  ...anyOf.flatMap(listChoices),
]

/** Joins fields of the same name in several alternatives; required only if each alternative requires it. */
const mergeAlternatives = (fields: SchemaField[], alternatives: number): SchemaField[] =>
  [...new Set(fields.map(({ name }) => name))].map((name) => {
    const same = fields.filter((field) => field.name === name)
    return {
      ...same[0]!,
      isRequired: same.length === alternatives && same.every(({ isRequired }) => isRequired),
      choices: [...new Set(same.flatMap(({ choices }) => choices))],
    }
  })
