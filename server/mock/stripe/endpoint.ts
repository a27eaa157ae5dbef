import * as z from 'zod/mini'
import { Expand, expanded } from './expand.ts'
import { refusal } from './problem.ts'
import type { Provider } from './provider.ts'

/** One call of the provider's API; `:id` in the path is handed over. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  answer: (provider: Provider, id: string, input: unknown) => object
}

type Work<S extends z.ZodMiniType> = (provider: Provider, input: z.output<S>, id: string) => object

const Expanding = z.looseObject({ expand: Expand })

/** Describes a call by what it takes; anything else is refused. What it answers can be asked for written out, with `expand`. */
export const endpoint = <S extends z.ZodMiniType>(method: Endpoint['method'], path: string, takes: S, work: Work<S>): Endpoint => ({
  method,
  path,
  answer(provider, id, input) {
    const { expand, ...rest } = read(Expanding, input)
    return expanded(provider, work(provider, read(takes, rest), id), expand)
  },
})

function read<S extends z.ZodMiniType>(schema: S, input: unknown): z.output<S> {
  const parsed = z.safeParse(schema, input, { reportInput: true })
  if (!parsed.success) throw refusal(parsed.error)
  return parsed.data
}

export const Nothing = z.strictObject({})

/** Numbers and truths arrive as text. */
export const Int = z.pipe(z.string().check(z.regex(/^-?\d{1,15}$/, 'must be an integer')), z.transform(Number))
export const Bool = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
)
export const Metadata = z.record(z.string().check(z.maxLength(40)), z.string().check(z.maxLength(500)))
