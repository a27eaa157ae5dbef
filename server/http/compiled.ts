import * as z from 'zod/mini'

const known = new WeakMap<z.ZodMiniType, z.ZodMiniType>()

/** The schema with its checks as generated code, several times faster; made at its first use, the same for every server of the process. */
export function compiled<T extends z.ZodMiniType>(schema: T): T {
  const made = known.get(schema) ?? z.compile(schema)
  known.set(schema, made)
  return made as T
}
