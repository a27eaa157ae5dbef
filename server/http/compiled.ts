import * as z from 'zod/mini'

const compiledSchemas = new WeakMap<z.ZodMiniType, z.ZodMiniType>()

/**
 * Returns the schema with its checks as generated code, which is several times faster. Compiled at first use and shared by all servers of
 * the process.
 */
export function compileSchema<T extends z.ZodMiniType>(schema: T): T {
  const compiledSchema = compiledSchemas.get(schema) ?? z.compile(schema)
  compiledSchemas.set(schema, compiledSchema)
  return compiledSchema as T
}
