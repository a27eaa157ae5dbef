import * as z from 'zod/mini'

/** A value outside of its list in the contract; `isOpen` if the contract accepts it anyway. */
export type Strange = { path: string; message: string; isOpen: boolean }

type Schema = z.core.$ZodType

/** Finds such values in a response; each is listed once for all elements of a list. */
export function strangeValues(schema: Schema, value: unknown): Strange[] {
  const found = [...within(schema, value, [])]
  return [...new Map(found.map((one) => [`${one.path} ${one.message}`, one])).values()]
}

function* within(schema: Schema, value: unknown, path: readonly string[]): Generator<Strange> {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable || schema instanceof z.ZodMiniDefault) {
    if (value !== null && value !== undefined) yield* within(schema._zod.def.innerType, value, path)
  } else if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
    for (const element of value) yield* within(schema._zod.def.element, element, [...path, '*'])
  } else if (schema instanceof z.ZodMiniObject && isHolder(value)) {
    for (const [key, inner] of Object.entries(schema._zod.def.shape)) yield* within(inner, value[key], [...path, key])
  } else if (typeof value === 'string' || typeof value === 'number') yield* strange(schema, value, path)
}

function* strange(schema: Schema, value: string | number, path: readonly string[]): Generator<Strange> {
  const list = listOf(schema)
  if (!list || list.values.includes(value) || typeof value !== typeof list.values[0]) return
  yield { path: path.join('.'), message: `${JSON.stringify(value)} is none of ${list.values.join(', ')}`, isOpen: list.isOpen }
}

function listOf(schema: Schema): { values: unknown[]; isOpen: boolean } | undefined {
  if (schema instanceof z.ZodMiniEnum) return { values: Object.values(schema._zod.def.entries), isOpen: false }
  if (schema instanceof z.ZodMiniLiteral) return { values: [...schema._zod.def.values], isOpen: false }
  if (!(schema instanceof z.ZodMiniUnion)) return undefined
  const named = schema._zod.def.options.find((option) => option instanceof z.ZodMiniEnum)
  return named && { values: Object.values(named._zod.def.entries), isOpen: true }
}

const isHolder = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
