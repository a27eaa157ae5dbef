import type Stripe from 'stripe'
import * as z from 'zod/mini'
import type { Provider } from './provider.ts'

type ProblemDetails = {
  status?: number
  type?: 'invalid_request_error' | 'idempotency_error' | 'card_error'
  code?: string
  decline_code?: string
  param?: string
  /** The consequences of a declined payment: ids and objects that Stripe adds to the error. */
  payment?: { charge?: string; payment_intent?: object; payment_method?: object; setup_intent?: object }
}

const DOC_URL = 'https://stripe.com/docs/error-codes/'

/** An error response in Stripe's words and format. */
export class Problem extends Error {
  readonly details: ProblemDetails
  constructor(message: string, details: ProblemDetails = {}) {
    super(message)
    this.details = details
  }
  toResponse() {
    const { status = 400, type = 'invalid_request_error', payment, ...rest } = this.details
    const doc_url = rest.code && DOC_URL + rest.code.replaceAll('_', '-')
    return Response.json({ error: { type, message: this.message, ...rest, ...(doc_url && { doc_url }), ...payment } }, { status })
  }
}

export const missingObject = (kind: string, id: string, param = 'id', status = 404) =>
  new Problem(`No such ${kind}: '${id}'`, { status, code: 'resource_missing', param })

/** Of the alternative forms of a parameter, the closest one explains the error: it has the fewest issues, deepest inside. */
function findIssue([issue]: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  if (issue?.code !== 'invalid_union') return issue!
  const depth = (form: readonly z.core.$ZodIssue[]) => form[0]?.path.length ?? 0
  const [best] = issue.errors.toSorted((a, b) => a.length - b.length || depth(b) - depth(a))
  if (!best) return issue
  const inner = findIssue(best)
  return { ...inner, path: [...issue.path, ...inner.path] }
}

function parameterProblem(error: z.core.$ZodError) {
  const issue = findIssue(error.issues)
  if (issue.code === 'unrecognized_keys') {
    const param = parameterName([...issue.path, issue.keys[0]!])
    return new Problem(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  const param = parameterName(issue.path)
  if (issue.code === 'custom') return new Problem(issue.message, { ...issue.params, param })
  if (issue.input === undefined) return new Problem(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  return new Problem(`Invalid ${param}: ${issue.message}`, { param })
}

const parameterName = ([first, ...rest]: readonly PropertyKey[]) => String(first) + rest.map((part) => `[${String(part)}]`).join('')

/** Rejects two parameters of which one would be ignored. `at` is the object that contains them. */
export function refuseBoth(input: object, [one, other]: readonly [string, string], at: readonly PropertyKey[] = []) {
  const { [one]: first, [other]: second } = input as ApiObject
  if (first === undefined || second === undefined) return
  const param = parameterName([...at, other])
  throw new Problem(`You may only specify one of these parameters: ${one}, ${other}.`, { param })
}

/** Rejects parameters that only apply when the same request confirms the object. */
export function refuseUnlessConfirmed(confirm: boolean | undefined, input: object) {
  for (const [param, value] of Object.entries(input))
    if (value !== undefined && !confirm)
      throw new Problem(`The parameter \`${param}\` cannot be passed unless \`confirm\` is set to true.`, { param })
}

/** Stripe's limit on the depth of a path. */
const MAX_DEPTH = 4
const Expand = z.optional(z.array(z.string().check(z.minLength(1))))

type ApiObject = Record<string, unknown>
type FindObject = (provider: Provider, id: string) => object | undefined

const findInvoice: FindObject = ({ invoices }, id) => invoices.get(id)
const findPaymentMethod: FindObject = ({ methods }, id) => methods.get(id)

/** How to find the object for an id, by the name of the property that contains the id. */
const FINDERS: Record<string, FindObject> = {
  charge: ({ charges }, id) => charges.get(id),
  customer: ({ customers }, id) => customers.get(id),
  default_payment_method: findPaymentMethod,
  invoice: findInvoice,
  latest_charge: ({ charges }, id) => charges.get(id),
  latest_invoice: findInvoice,
  payment_intent: ({ paymentIntents }, id) => paymentIntents.get(id),
  payment_method: findPaymentMethod,
  pending_setup_intent: ({ setupIntents }, id) => setupIntents.get(id),
  default_price: ({ prices }, id) => prices.get(id),
  product: ({ products }, id) => products.get(id),
  setup_intent: ({ setupIntents }, id) => setupIntents.get(id),
  subscription: ({ subscriptions }, id) => subscriptions.get(id),
  test_clock: ({ testClocks }, id) => testClocks.get(id),
}

/** Replaces ids by their objects along paths such as `data.customer`. Throws for a path that cannot be expanded. */
function expandProperties(provider: Provider, answer: object, paths: readonly string[] = []): object {
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
  const list = findLeftOut(provider, `${thing.object} ${name}`)
  if (list) thing[name] = structuredClone(list(provider, String(thing.id)))
  else if (find && typeof known === 'string') thing[name] = structuredClone(find(provider, known)) ?? known
  const next = thing[name]
  if (next === undefined || (rest.length === 0 && !find && !list)) throw unexpandable(path)
  if (rest.length === 0 || next === null) return
  if (typeof next !== 'object') throw unexpandable(path)
  for (const each of Array.isArray(next) ? next : [next]) expandPath(provider, each as ApiObject, rest, path)
}

const unexpandable = (path: string) => new Problem(`This property cannot be expanded (${path}).`, { param: 'expand' })

export const listLineItems = ({ lines }: Provider, session: string) => ({
  object: 'list',
  url: `/v1/checkout/sessions/${session}/line_items`,
  has_more: false,
  data: (lines.get(session) ?? []).map(({ taxes: _, ...line }) => line),
})

const listTaxesOf: FindPart = ({ lines }, id) => [...lines.values()].flat().find((line) => line.id === id)?.taxes ?? []

const PAYMENT_STATUSES: Record<string, string> = { paid: 'paid', void: 'canceled' }

/** The payment of an invoice: open until the invoice is paid or void. */
export const buildInvoicePayment = (invoice: Stripe.Invoice, payment_intent: string): Stripe.InvoicePayment => ({
  id: payment_intent.replace(/^pi/, 'inpay'),
  object: 'invoice_payment',
  amount_paid: invoice.status === 'paid' ? invoice.amount_paid : null,
  amount_requested: invoice.amount_due,
  created: invoice.status_transitions.paid_at ?? invoice.created,
  currency: invoice.currency,
  invoice: invoice.id,
  is_default: true,
  livemode: false,
  payment: { payment_intent, type: 'payment_intent' },
  status: PAYMENT_STATUSES[invoice.status ?? ''] ?? 'open',
  status_transitions: { canceled_at: invoice.status_transitions.voided_at, paid_at: invoice.status_transitions.paid_at },
})

/** The secret with which a client confirms the payment of an invoice; null before it is finalized or if nothing is due. */
function findConfirmationSecret({ invoicePayments, paymentIntents }: Provider, id: string) {
  const { client_secret } = paymentIntents.get(String(invoicePayments.get(id))) ?? {}
  return client_secret ? { client_secret, type: 'payment_intent' } : null
}

/** The payments of an invoice, which Stripe sends only on request. */
function listPaymentsOf({ invoices, invoicePayments }: Provider, id: string) {
  const payment = invoicePayments.get(id)
  const data = payment === undefined ? [] : [buildInvoicePayment(invoices.get(id)!, payment)]
  return { object: 'list', url: `/v1/invoice_payments?invoice=${id}`, has_more: false, data }
}

type FindPart = (provider: Provider, id: string) => object | null

/** Parts that Stripe omits from an object until they are expanded. */
const LEFT_OUT: Record<string, FindPart> = {
  'checkout.session line_items': listLineItems,
  'item taxes': listTaxesOf,
  'invoice confirmation_secret': findConfirmationSecret,
  'invoice payments': listPaymentsOf,
}

/** The version in which invoices could have several payments; earlier, an invoice had one. */
const MANY_PAYMENTS = '2025-03-31'

const findLeftOut = ({ caller }: Provider, part: string): FindPart | undefined =>
  part === 'invoice payment_intent' && caller?.version && caller.version < MANY_PAYMENTS
    ? ({ invoicePayments, paymentIntents }, id) => paymentIntents.get(String(invoicePayments.get(id))) ?? null
    : LEFT_OUT[part]

/** One endpoint of the fake API. `:id` in the path is passed to `answer`. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** The schema of its parameters. */
  takes: z.ZodMiniType
  handle: (provider: Provider, id: string, input: unknown) => object
}

type Handler<S extends z.ZodMiniType> = (provider: Provider, input: z.output<S>, id: string) => object

const Expanding = z.looseObject({ expand: Expand })

/** Defines an endpoint. Parameters outside the schema are rejected; `expand` works on every endpoint. */
export const endpoint = <S extends z.ZodMiniType>(method: Endpoint['method'], path: string, takes: S, work: Handler<S>): Endpoint => ({
  method,
  path,
  takes,
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
