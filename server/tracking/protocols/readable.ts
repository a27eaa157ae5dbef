import * as z from 'zod/mini'
import { formatInstant } from '#contracts/rules/time.ts'
import { readTimestamp } from './timestamp.ts'

export const Numeric = z.pipe(z.string().check(z.trim(), z.regex(/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i)), z.transform(Number))

/** Makes an optional field undefined when it is unreadable, so that no position is lost for it. */
export const lenient = <T extends z.ZodMiniType>(schema: T) => z.catch(z.optional(schema), undefined)

export const Timestamp = z.pipe(
  z.union([z.string(), z.number()]),
  z.transform((value, context) => {
    const at = readTimestamp(String(value).trim())
    if (at) return formatInstant(at)
    context.issues.push({ code: 'custom', input: value, message: 'Not a time' })
    return z.NEVER
  }),
)
