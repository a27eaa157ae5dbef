import * as z from 'zod/mini'
import { Expand, expandProperties } from './expand.ts'
import { parameterProblem } from './problem.ts'
import type { Provider } from './provider.ts'

/** One endpoint of the fake API. `:id` in the path is passed to `answer`. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  handle: (provider: Provider, id: string, input: unknown) => object
}

type Handler<S extends z.ZodMiniType> = (provider: Provider, input: z.output<S>, id: string) => object

const Expanding = z.looseObject({ expand: Expand })

/** Defines an endpoint. Parameters outside the schema are rejected; `expand` works on every endpoint. */
export const endpoint = <S extends z.ZodMiniType>(method: Endpoint['method'], path: string, takes: S, work: Handler<S>): Endpoint => ({
  method,
  path,
  handle(provider, id, input) {
    const { expand, ...rest } = parseInput(Expanding, input)
    return expandProperties(provider, work(provider, parseInput(takes, rest), id), expand)
  },
})

function parseInput<S extends z.ZodMiniType>(schema: S, input: unknown): z.output<S> {
  const parsed = z.safeParse(schema, input, { reportInput: true })
  if (!parsed.success) throw parameterProblem(parsed.error)
  return parsed.data
}

export const NoInput = z.strictObject({})

/** Stripe's form encoding carries numbers and booleans as text. */
export const Int = z.pipe(z.string().check(z.regex(/^-?\d{1,15}$/, 'must be an integer')), z.transform(Number))
export const Bool = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
)
export const Metadata = z.record(z.string().check(z.maxLength(40)), z.string().check(z.maxLength(500)))
