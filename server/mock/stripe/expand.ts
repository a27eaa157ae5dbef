import * as z from 'zod/mini'
import { Problem } from './problem.ts'
import type { Provider } from './provider.ts'

/** Stripe's limit on the depth of a path. */
const MAX_DEPTH = 4
export const Expand = z.optional(z.array(z.string().check(z.minLength(1))))

type ApiObject = Record<string, unknown>
type FindObject = (provider: Provider, id: string) => object | undefined

const findInvoice: FindObject = ({ invoices }, id) => invoices.get(id)
const findPaymentMethod: FindObject = ({ methods }, id) => methods.get(id)

/** How to find the object behind an id, by the name of the property that holds the id. */
const FINDERS: Record<string, FindObject> = {
  customer: ({ customers }, id) => customers.get(id),
  default_payment_method: findPaymentMethod,
  invoice: findInvoice,
  latest_invoice: findInvoice,
  payment_method: findPaymentMethod,
  product: ({ products }, id) => products.get(id),
  subscription: ({ subscriptions }, id) => subscriptions.get(id),
  test_clock: ({ testClocks }, id) => testClocks.get(id),
}

/** Replaces ids by their objects along paths such as `data.customer`. Throws for a path that cannot be expanded. */
export function expandProperties(provider: Provider, answer: object, paths: readonly string[] = []): object {
  if (paths.length === 0) return answer
  const copy = structuredClone(answer) as ApiObject
  for (const path of paths) {
    const names = path.split('.')
    if (names.length > MAX_DEPTH) throw new Problem(`You cannot expand more than ${MAX_DEPTH} levels of a property. Property: ${path}`)
    expandPath(provider, copy, names, path)
  }
  return copy
}

function expandPath(provider: Provider, thing: ApiObject, [name = '', ...rest]: string[], path: string) {
  const find = FINDERS[name]
  const known = thing[name]
  const isLeft = name === 'line_items' && thing.object === 'checkout.session'
  if (isLeft) thing[name] = structuredClone(listLineItems(provider, String(thing.id)))
  else if (find && typeof known === 'string') thing[name] = structuredClone(find(provider, known)) ?? known
  const next = thing[name]
  if (next === undefined || (rest.length === 0 && !find && !isLeft)) throw unexpandable(path)
  if (rest.length === 0 || next === null) return
  if (typeof next !== 'object') throw unexpandable(path)
  for (const each of Array.isArray(next) ? next : [next]) expandPath(provider, each as ApiObject, rest, path)
}

const unexpandable = (path: string) => new Problem(`This property cannot be expanded (${path}).`, { param: 'expand' })

export const listLineItems = ({ lines }: Provider, session: string) => ({
  object: 'list',
  url: `/v1/checkout/sessions/${session}/line_items`,
  has_more: false,
  data: lines.get(session) ?? [],
})
