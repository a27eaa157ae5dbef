import * as z from 'zod/mini'
import { type Breach, breachesOf, type Exchange } from '#contracts/lib/breaches.ts'
import { contentTypeOf, type Route } from '#contracts/lib/route.ts'
import { strangeValues } from './strange-values.ts'
import type { Finding } from './verdict.ts'

z.config(z.locales.en())

type Disagreement = Finding & Pick<Breach, 'side'>

/**
 * Where a request and its response deviate from the contract: breaches as in the mock server's journal, and values outside of their list.
 */
export function disagreements(route: Route, exchange: Exchange): Disagreement[] {
  const schema = route.response[exchange.status as keyof Route['response']]
  const strange = schema && !contentTypeOf(schema) ? strangeValues(schema, exchange.answer) : []
  const closed = new Map(strange.filter(({ isOpen }) => !isOpen).map(({ path, message }) => [path, message]))
  return [
    ...breachesOf(route, exchange).map((breach) => verdictOf(breach, closed)),
    ...strange.filter(({ isOpen }) => isOpen).map(({ path, message }) => ({ verdict: 'drift+', side: 'response', path, message }) as const),
  ]
}

function verdictOf({ side, kind, path, message }: Breach, closed: Map<string, string>): Disagreement {
  if (kind === 'unknown') return { verdict: 'drift+', side, path, message }
  const value = side === 'response' ? closed.get(path) : undefined
  return value === undefined ? { verdict: 'fail', side, path, message } : { verdict: 'enum?', side, path, message: value }
}
