import pg from 'pg'
import { type Connection, connect } from '#db/sqlite/driver.ts'

/** Begins the span of a statement, whose text contains no values, and returns the function that ends it. */
export type BeginStatement = (text: string) => (error?: unknown) => void
/** Binds a function to the span that is active now. */
export type KeepSpan = <F>(work: F) => F

/** Replaces texts and numbers, which some statements contain besides their placeholders. */
const withoutValues = (text: string) => text.replace(/'(?:[^']|'')*'/g, '?').replace(/(^|[^$\w."])-?\d+(\.\d+)?\b/g, '$1?')

type Method = (this: object, ...args: unknown[]) => unknown
type Methods = Record<string, Method>

/** Traces every statement of SQLite from now on, in all databases of the process. */
export function traceSqlite(begin: BeginStatement) {
  const probe = connect(':memory:')
  const statement = Object.getPrototypeOf(probe.prepare('select 1')) as Methods
  for (const name of ['run', 'get', 'all'])
    wrap(statement, name, (call, self, args) => {
      const end = begin(withoutValues((self as ReturnType<Connection['prepare']>).source))
      return finish(() => call.apply(self, args), end)
    })
  const database = Object.getPrototypeOf(probe) as Methods
  wrap(database, 'exec', (call, self, args) => {
    const end = begin(withoutValues(String(args[0])))
    return finish(() => call.apply(self, args), end)
  })
  probe.close()
}

/** Traces every statement sent to a PostgreSQL from now on. */
export function tracePostgres(begin: BeginStatement, keepSpan: KeepSpan) {
  wrap(pg.Pool.prototype as unknown as Methods, 'connect', (call, self, [first, ...others]) =>
    call.apply(self, typeof first === 'function' ? [keepSpan(first), ...others] : []),
  )
  wrap(pg.Client.prototype as unknown as Methods, 'query', (call, self, args) => {
    const [first] = args
    const text = typeof first === 'string' ? first : (first as { text?: unknown } | undefined)?.text
    if (typeof text !== 'string') return call.apply(self, args)
    const end = begin(withoutValues(text))
    const last = args.at(-1)
    if (typeof last !== 'function') return finish(() => call.apply(self, args), end)
    const answer = (error: unknown, ...results: unknown[]) => {
      end(error ?? undefined)
      last(error, ...results)
    }
    return call.apply(self, [...args.slice(0, -1), keepSpan(answer)])
  })
}

function wrap(target: Methods, name: string, replace: (call: Method, self: object, args: unknown[]) => unknown) {
  const call = target[name]!
  target[name] = function (...args) {
    return replace(call, this, args)
  }
}

function finish(work: () => unknown, end: (error?: unknown) => void) {
  try {
    const result = work()
    if (result instanceof Promise) result.then(() => end(), end)
    else end()
    return result
  } catch (error) {
    end(error)
    throw error
  }
}
