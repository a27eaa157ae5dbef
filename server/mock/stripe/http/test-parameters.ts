import type * as z from 'zod/mini'

/** A parameter without nested ones, such as `items[0][price]`. `values` are all that its schema allows; null for free text. */
export type Leaf = { path: string; values: readonly string[] | null; isNumber: boolean }

type Check = { _zod: { def: { pattern?: RegExp } } }
/** The description of a zod schema. */
type Definition = {
  type: string
  innerType?: z.ZodMiniType
  in?: z.ZodMiniType
  element?: z.ZodMiniType
  shape?: Record<string, z.ZodMiniType>
  options?: readonly z.ZodMiniType[]
  entries?: Record<string, string>
  values?: readonly string[]
  checks?: readonly Check[]
}

/** Lists the parameters of a schema, in form encoding. A list has one entry and a map one key. */
export function listLeaves(schema: z.ZodMiniType, path = ''): Leaf[] {
  const { type, innerType, element, shape, options, entries, values, checks = [], ...rest } = schema._zod.def as unknown as Definition
  if (type === 'optional') return listLeaves(innerType!, path)
  if (type === 'pipe') return listLeaves(rest.in!, path)
  if (type === 'array') return listLeaves(element!, `${path}[0]`)
  if (type === 'record') return [{ path: `${path}[kind]`, values: null, isNumber: false }]
  if (type === 'object') return Object.entries(shape!).flatMap(([name, one]) => listLeaves(one, path ? `${path}[${name}]` : name))
  if (type === 'union') return options!.flatMap((one) => listLeaves(one, path))
  if (type === 'enum') return [{ path, values: Object.values(entries!), isNumber: false }]
  if (type === 'literal') return [{ path, values: values!, isNumber: false }]
  if (type !== 'string') throw new Error(`A parameter of type ${type} is not known here: ${path}`)
  return [{ path, values: null, isNumber: checks.some(({ _zod }) => _zod.def.pattern?.source.includes('\\d{1,15}')) }]
}
