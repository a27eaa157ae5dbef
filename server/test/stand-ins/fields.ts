import type * as z from 'zod/mini'
import { Id, Whole } from '#contracts/lib/common.ts'
import { isObject, type Json, type JsonObject } from './habit.ts'

/** The contract's type of a value. */
export type Kind = 'id' | 'instant' | 'date' | 'whole' | 'decimal' | 'boolean' | 'choice' | 'text'

/** `key` is the name of the nearest property; `choices` are the values of a list, closed or open. */
export type Field = { kind: Kind; key: string; choices: readonly string[] }

type Def = {
  type: string
  format?: string
  shape?: Record<string, z.ZodMiniType>
  element?: z.ZodMiniType
  innerType?: z.ZodMiniType
  in?: z.ZodMiniType
  options?: z.ZodMiniType[]
  valueType?: z.ZodMiniType
  entries?: Record<string, string>
  values?: unknown[]
}

export const defOf = (schema: z.ZodMiniType) => schema._zod.def as unknown as Def

const WRAPPERS = new Set(['nullable', 'optional', 'default', 'prefault', 'readonly', 'pipe'])

/** Unwraps a schema from optional and nullable. */
export function unwrapSchema(schema: z.ZodMiniType): z.ZodMiniType {
  const { type, innerType, in: input } = defOf(schema)
  const inner = innerType ?? input
  return WRAPPERS.has(type) && inner ? unwrapSchema(inner) : schema
}

/** The kind of a value that is neither an object nor a list; undefined for those. */
export function findField(schema: z.ZodMiniType, key: string): Field | undefined {
  const field = (kind: Kind, choices: readonly string[] = []): Field => ({ kind, key, choices })
  if (schema === Id || schema === Whole) return field('id')
  const { type, format, entries, values, options } = defOf(schema)
  switch (type) {
    case 'number':
      return field(format === 'safeint' ? 'whole' : 'decimal')
    case 'boolean':
      return field('boolean')
    case 'enum':
      return field('choice', Object.values(entries ?? {}))
    case 'literal':
      return values?.every((value) => typeof value === 'string') ? field('choice', values) : undefined
    case 'string':
      return field(format === 'datetime' ? 'instant' : format === 'date' ? 'date' : 'text')
    case 'union': {
      const found = (options ?? []).flatMap((option) => findField(unwrapSchema(option), key) ?? [])
      return found.find(({ kind }) => kind === 'choice') ?? found[0]
    }
    default:
      return undefined
  }
}

/** Rewrites every value that the schema describes; null and unknown fields are unchanged. */
export function rewriteFields(schema: z.ZodMiniType, value: Json, rewrite: (value: Json, field: Field) => Json, key = ''): Json {
  if (value === null) return null
  const inner = unwrapSchema(schema)
  const { shape = {}, element, valueType } = defOf(inner)
  if (Array.isArray(value)) return element ? value.map((each) => rewriteFields(element, each, rewrite, key)) : value
  if (isObject(value)) {
    return mapObject(value, (each, name) => {
      const known = shape[name] ?? valueType
      return known ? rewriteFields(known, each, rewrite, name) : each
    })
  }
  const field = findField(inner, key)
  return field ? rewrite(value, field) : value
}

type ChangeObject = (value: JsonObject, shape: Record<string, z.ZodMiniType>) => JsonObject

/** Rewrites every object that the schema describes, the inner ones first. */
export function rewriteObjects(schema: z.ZodMiniType, value: Json, rewrite: ChangeObject): Json {
  const { shape = {}, element } = defOf(unwrapSchema(schema))
  if (Array.isArray(value)) return element ? value.map((each) => rewriteObjects(element, each, rewrite)) : value
  if (!isObject(value)) return value
  const inner = mapObject(value, (each, name) => (shape[name] ? rewriteObjects(shape[name], each, rewrite) : each))
  return rewrite(inner, shape)
}

const mapObject = (value: JsonObject, change: (each: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(each, name)]))

type ChangeEntries = (entries: Json[], element: z.ZodMiniType) => Json[]

/** Rewrites the elements of a body that is a list, or a page of the contract; other bodies are unchanged. */
export function rewriteEntries(schema: z.ZodMiniType, body: Json, change: ChangeEntries): Json {
  const { shape, element } = defOf(unwrapSchema(schema))
  if (Array.isArray(body) && element) return change(body, element)
  const results = shape?.results && defOf(unwrapSchema(shape.results)).element
  return results && isObject(body) && Array.isArray(body.results) ? { ...body, results: change(body.results, results) } : body
}

/** Paths of the fields that another backend might lack: those that may be null or absent in the contract, and booleans. */
export function listSpareFields(element: z.ZodMiniType, path: string[] = []): string[][] {
  return Object.entries(defOf(unwrapSchema(element)).shape ?? {}).flatMap(([name, schema]) => {
    const isSpare = ['nullable', 'optional', 'boolean'].includes(defOf(schema).type)
    return [...(isSpare ? [[...path, name]] : []), ...listSpareFields(schema, [...path, name])]
  })
}
