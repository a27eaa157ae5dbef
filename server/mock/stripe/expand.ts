import * as z from 'zod/mini'
import { Problem } from './problem.ts'
import type { Provider } from './provider.ts'

/** Stripe's limit on the depth of a path. */
const DEEPEST = 4
export const Expand = z.optional(z.array(z.string().check(z.minLength(1))))

type Thing = Record<string, unknown>
type Find = (provider: Provider, id: string) => object | undefined

const invoice: Find = ({ invoices }, id) => invoices.get(id)
const method: Find = ({ methods }, id) => methods.get(id)

/** How to find the object behind an id, by the name of the property that holds the id. */
const NAMED: Record<string, Find> = {
  customer: ({ customers }, id) => customers.get(id),
  default_payment_method: method,
  invoice,
  latest_invoice: invoice,
  payment_method: method,
  product: ({ products }, id) => products.get(id),
  subscription: ({ subscriptions }, id) => subscriptions.get(id),
  test_clock: ({ testClocks }, id) => testClocks.get(id),
}

/** Replaces ids by their objects along paths such as `data.customer`. Throws for a path that cannot be expanded. */
export function expanded(provider: Provider, answer: object, paths: readonly string[] = []): object {
  if (paths.length === 0) return answer
  const copy = structuredClone(answer) as Thing
  for (const path of paths) {
    const names = path.split('.')
    if (names.length > DEEPEST) throw new Problem(`You cannot expand more than ${DEEPEST} levels of a property. Property: ${path}`)
    writeOut(provider, copy, names, path)
  }
  return copy
}

function writeOut(provider: Provider, thing: Thing, [name = '', ...rest]: string[], path: string) {
  const find = NAMED[name]
  const known = thing[name]
  const isLeft = name === 'line_items' && thing.object === 'checkout.session'
  if (isLeft) thing[name] = structuredClone(linesOf(provider, String(thing.id)))
  else if (find && typeof known === 'string') thing[name] = structuredClone(find(provider, known)) ?? known
  const next = thing[name]
  if (next === undefined || (rest.length === 0 && !find && !isLeft)) throw refused(path)
  if (rest.length === 0 || next === null) return
  if (typeof next !== 'object') throw refused(path)
  for (const each of Array.isArray(next) ? next : [next]) writeOut(provider, each as Thing, rest, path)
}

const refused = (path: string) => new Problem(`This property cannot be expanded (${path}).`, { param: 'expand' })

export const linesOf = ({ lines }: Provider, session: string) => ({
  object: 'list',
  url: `/v1/checkout/sessions/${session}/line_items`,
  has_more: false,
  data: lines.get(session) ?? [],
})
