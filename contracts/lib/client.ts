import type { BodyOf, Contract, RequestOf, Route } from './route.ts'

/** What a caller passes to an endpoint, not yet validated. */
export type RequestInput = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }

type Arguments<R extends Route, Options> = keyof RequestOf<R> extends never
  ? [input?: Record<never, never>, options?: Options]
  : [input: RequestOf<R>, options?: Options]

/** One function per endpoint of a contract; resolves to the body of the successful response. */
export type Client<C extends Contract, Options = never> = {
  [K in keyof C]: (...input: Arguments<C[K], Options>) => Promise<BodyOf<C[K]>>
}

type Send<Options> = (route: Route, input: RequestInput, options: Options | undefined) => Promise<unknown>

/** Builds the functions of a client. `send` performs the request and turns the response into a result. */
export function createClient<C extends Contract, Options = never>(contract: C, send: Send<Options>): Client<C, Options> {
  const calls = Object.entries(contract).map(([name, route]) => [
    name,
    (input: RequestInput = {}, options?: Options) => send(route, input, options),
  ])
  return Object.fromEntries(calls)
}

/** Builds the URL of a request, without a double slash whether or not the base ends with one. */
export function buildUrl(base: string, path: string, { params = {}, query = {} }: Omit<RequestInput, 'body'> = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return base.replace(/\/+$/, '') + filled + (search && `?${search}`)
}
