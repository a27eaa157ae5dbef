import type { BodyOf, Contract, RequestOf, Route } from './route.ts'

/** What a call is handed, before anybody has looked at it. */
export type CallInput = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }

type Arguments<R extends Route, Options> = keyof RequestOf<R> extends never
  ? [input?: Record<never, never>, options?: Options]
  : [input: RequestOf<R>, options?: Options]

/** One function per call of a contract, which answers the body of a success. */
export type Client<C extends Contract, Options = never> = {
  [K in keyof C]: (...input: Arguments<C[K], Options>) => Promise<BodyOf<C[K]>>
}

type Send<Options> = (route: Route, input: CallInput, options: Options | undefined) => Promise<unknown>

/** Makes the functions; `send` is how a call goes out and what its answer becomes. */
export function createClient<C extends Contract, Options = never>(contract: C, send: Send<Options>): Client<C, Options> {
  const calls = Object.entries(contract).map(([name, route]) => [
    name,
    (input: CallInput = {}, options?: Options) => send(route, input, options),
  ])
  return Object.fromEntries(calls)
}

/** Joined without a double slash, whether or not the base ends with one. */
export function addressOf(base: string, path: string, { params = {}, query = {} }: Omit<CallInput, 'body'> = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return base.replace(/\/+$/, '') + filled + (search && `?${search}`)
}
