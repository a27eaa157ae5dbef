import * as z from 'zod/mini'
import { refusal } from './problem.ts'
import type { Provider } from './provider.ts'

/** One call of the provider's API; `:id` in the path is handed over. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  answer: (provider: Provider, id: string, input: unknown) => object
}

type Work<S extends z.ZodMiniType> = (provider: Provider, input: z.output<S>, id: string) => object

/** Describes a call by what it takes; anything else is refused. */
export const endpoint = <S extends z.ZodMiniType>(method: Endpoint['method'], path: string, takes: S, work: Work<S>): Endpoint => ({
  method,
  path,
  answer(provider, id, input) {
    const parsed = z.safeParse(takes, input, { reportInput: true })
    if (!parsed.success) throw refusal(parsed.error)
    return work(provider, parsed.data, id)
  },
})

export const Nothing = z.strictObject({})

/** Numbers and truths arrive as text. */
export const Int = z.pipe(z.string().check(z.regex(/^-?\d{1,15}$/, 'must be an integer')), z.transform(Number))
export const Bool = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
)
export const Metadata = z.record(z.string().check(z.maxLength(40)), z.string().check(z.maxLength(500)))
