import * as z from 'zod/mini'
import { PlanMove } from '#contracts/billing/plan-moves.ts'
import { PausedPlans, PlanPause } from '#contracts/billing/plan-pauses.ts'
import { FIRING_KINDS, FiringNotice } from '#contracts/firings.ts'
import { CurrencyCode, Id, Instant, listed, MinorUnits, openEnum, Whole } from '#contracts/lib/common.ts'
import { ROLES } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Email, Text } from '#contracts/rules/reading/text-fields.ts'
import { INVOICE_STATUSES, SUB_STATES } from '#contracts/rules/subscription.ts'
import { Deed } from './deeds.ts'
import { OwnerRequest } from './requests.ts'
import { type Sort, SortOf } from './sorting.ts'

/** What a search has found a customer by. */
export const FOUND_BY = ['account', 'email', 'name', 'tracker', 'invoice', 'order', 'request'] as const
export type FoundBy = (typeof FOUND_BY)[number]

/** One account in a list. `number` is that of the customer: `C-` and the id of the account. */
export const ListedCustomer = z.object({
  account: Id,
  number: z.string(),
  email: z.string(),
  name: z.string(),
  created_at: Instant,
  trackers: z.int(),
  /** Null in the list of all customers. */
  found: z.nullable(z.object({ by: listed(FOUND_BY), value: z.string() })),
})
export type ListedCustomer = z.infer<typeof ListedCustomer>

/** A session: when and with which browser, without a secret and without the network. */
const CustomerSession = z.object({ created_at: Instant, last_seen_at: Instant, agent: z.nullable(z.string()) })

/** A user of the account: its owner, or a member of its team. */
export const CustomerPerson = z.object({
  id: Id,
  email: z.string(),
  email_confirmed: z.boolean(),
  name: z.string(),
  role: listed(ROLES),
  language: z.string(),
  time_zone: z.nullable(z.string()),
  created_at: Instant,
  has_password: z.boolean(),
  has_second_factor: z.boolean(),
  /** Wrong passwords from one browser or network that count now. */
  wrong_passwords: z.int(),
  /** Until then further attempts from there are refused. */
  locked_until: z.nullable(Instant),
  sessions: z.array(CustomerSession),
})
export type CustomerPerson = z.infer<typeof CustomerPerson>

const SERVICE_STATES = ['in_service', 'grace', 'resting'] as const

/** A tracker as support sees it: never where it is or was, and not whether it moves. */
export const CustomerTracker = z.object({
  id: Id,
  name: z.string(),
  type: z.string(),
  kind: z.string(),
  identifier: z.nullable(z.string()),
  serial: z.nullable(z.string()),
  added_at: Instant,
  last_message_at: z.nullable(Instant),
  reported_missing: z.boolean(),
  sub_state: listed(SUB_STATES),
  sub_end_date: z.nullable(Instant),
  service: listed(SERVICE_STATES),
  /** Until when its plan is paused; null unless it is. */
  paused_until: z.nullable(Instant),
  /** The newest subscription. */
  plan: z.nullable(
    z.object({
      name: z.nullable(z.string()),
      months: z.int(),
      extra: z.int(),
      renews: z.boolean(),
      renews_at: z.nullable(Instant),
      started_at: Instant,
    }),
  ),
  /** The item of stock; null for a tracker that is in no list. `included_months` is null once they are used. */
  stock: z.nullable(
    z.object({
      batch: z.nullable(z.string()),
      included_months: z.nullable(z.int()),
      is_blocked: z.boolean(),
      order: z.nullable(z.string()),
    }),
  ),
})
export type CustomerTracker = z.infer<typeof CustomerTracker>

const CustomerOrder = z.object({
  reference: z.string(),
  date: Instant,
  status: z.string(),
  total: MinorUnits,
  currency: CurrencyCode,
  lines: z.array(z.string()),
})

const CustomerInvoice = z.object({
  id: Id,
  number: z.string(),
  date: Instant,
  amount: MinorUnits,
  balance: MinorUnits,
  refunded: MinorUnits,
  currency: CurrencyCode,
  status: openEnum(INVOICE_STATUSES),
  dispute: z.nullable(z.string()),
  order: z.nullable(z.string()),
  lines: z.array(z.string()),
})
export type CustomerInvoice = z.infer<typeof CustomerInvoice>

/** An alert that fired, and what became of its notices. Without its place: support never sees where a tracker is or was. */
const CustomerAlert = z.object({
  id: Id,
  at: Instant,
  published_at: z.nullable(Instant),
  kind: openEnum(FIRING_KINDS),
  device_name: z.string(),
  /** Addresses of contacts are shortened. Null for alerts that fired before these lines were stored. */
  notices: z.nullable(z.array(FiringNotice)),
})
export type CustomerAlert = z.infer<typeof CustomerAlert>

/** Everything about one account. Lists hold the newest entries; `counts` says how many there are. */
export const Customer = z.object({
  account: Id,
  number: z.string(),
  email: z.string(),
  name: z.string(),
  is_pro: z.boolean(),
  created_at: Instant,
  last_seen_at: z.nullable(Instant),
  /** Paid so far less refunds, by currency. */
  paid: z.array(z.object({ amount: z.int(), currency: CurrencyCode })),
  counts: z.object({ trackers: z.int(), orders: z.int(), invoices: z.int(), alerts: z.int() }),
  people: z.array(CustomerPerson),
  trackers: z.array(CustomerTracker),
  orders: z.array(CustomerOrder),
  invoices: z.array(CustomerInvoice),
  alerts: z.array(CustomerAlert),
  requests: z.array(OwnerRequest),
  deeds: z.array(Deed),
})
export type Customer = z.infer<typeof Customer>

const Account = z.object({ account: Whole })

/** The most months given at once. */
export const MAX_GIVEN_MONTHS = 36
export const RESENT_MAILS = ['confirmation', 'password'] as const

export const NewCustomerEmail = z.object({ user: z.optional(Id), email: Email, reason: Text(1, TEXT_LENGTH.address) })
export type NewCustomerEmail = z.infer<typeof NewCustomerEmail>

export const CUSTOMER_SORTS = ['name', 'email', 'since'] as const
export type CustomerSort = Sort<(typeof CUSTOMER_SORTS)[number]>

const read = { method: 'GET', access: { staff: staffRights.readCustomers }, safety: 'read', provenance: 'ours' } as const

export const customers = {
  list: {
    ...read,
    path: '/operator/api/customers/',
    summary:
      'Finds customers by e-mail, name, customer number, identifier, S/N, invoice, order or request: at most 50, `is_complete` says whether all; without `q` a page of all, the newest first or by `sort`, `next` is the `before` of the next page',
    query: z.object({
      q: z.optional(Text(0, 200)),
      sort: SortOf(CUSTOMER_SORTS),
      before: z.optional(z.string().check(z.regex(/^(?:[\s\S]{0,300}_)?\d{1,15}$/))),
    }),
    response: { 200: z.object({ customers: z.array(ListedCustomer), is_complete: z.boolean(), next: z.nullable(z.string()) }) },
  },
  read: {
    ...read,
    path: '/operator/api/customers/:account/',
    summary: 'Everything about one customer, but no secret and no position; the owner sees in the security log who has read it',
    params: Account,
    response: { 200: Customer },
  },
  endSessions: {
    method: 'POST',
    path: '/operator/api/customers/:account/sessions/end/',
    summary: 'Signs all users of the account out everywhere; API tokens and keys of devices go on working',
    access: { staff: staffRights.helpCustomers },
    params: Account,
    response: { 200: z.object({ ended: z.int() }) },
    safety: 'destructive',
    provenance: 'ours',
  },
  unlock: {
    method: 'POST',
    path: '/operator/api/customers/:account/unlock/',
    summary: 'Makes wrong passwords and codes of the account no longer count, so that its users can sign in at once',
    access: { staff: staffRights.helpCustomers },
    params: Account,
    response: { 200: z.object({ account: Id }) },
    safety: 'reversible',
    provenance: 'ours',
  },
  makePro: {
    method: 'POST',
    path: '/operator/api/customers/:account/pro/',
    summary: 'Makes the account one of a team: its owner becomes the administrator, who invites colleagues and needs a second factor',
    access: { staff: staffRights.helpCustomers },
    params: Account,
    response: { 200: z.object({ account: Id }) },
    errors: ['already_active'],
    safety: 'reversible',
    provenance: 'ours',
  },
  giveMonths: {
    method: 'POST',
    path: '/operator/api/customers/:account/months/',
    summary:
      'Extends the subscription of a tracker free of charge, from its end or from now if that has passed; the owner gets a mail. 409 `subscription_required` for a tracker that has had none, `recurring_active` while it renews',
    access: { staff: staffRights.helpCustomers },
    params: Account,
    body: z.object({ tracker: Id, months: z.int().check(z.minimum(1), z.maximum(MAX_GIVEN_MONTHS)) }),
    response: { 200: z.object({ tracker: Id, sub_end_date: Instant }) },
    errors: ['subscription_required', 'recurring_active', 'no_change'],
    safety: 'reversible',
    provenance: 'ours',
  },
  movePlan: {
    method: 'POST',
    path: '/operator/api/customers/:account/plan/move/',
    summary:
      'Moves the running plan of a tracker with its options and its renewal to another tracker of the account; the owner gets a mail. 409 `subscription_required` when there is no running plan, `already_active` when the other tracker has one',
    access: { staff: staffRights.helpCustomers },
    params: Account,
    body: PlanMove,
    response: { 200: z.object({ tracker: Id, sub_end_date: z.nullable(Instant) }) },
    errors: ['subscription_required', 'already_active', 'device_linked_to_pro', 'no_change', 'plan_paused'],
    safety: 'reversible',
    provenance: 'ours',
  },
  pausePlan: {
    method: 'POST',
    path: '/operator/api/customers/:account/plan/pause/',
    summary:
      'Pauses the plan of a tracker until a day within a year, with those of the same renewal: they rest, no renewal is charged, and the end moves by the paused time; the owner gets a mail',
    access: { staff: staffRights.helpCustomers },
    params: Account,
    body: PlanPause,
    response: { 200: PausedPlans },
    errors: ['subscription_required', 'no_change', 'not_pausable', 'reported_missing', 'device_linked_to_pro'],
    safety: 'reversible',
    provenance: 'ours',
  },
  resumePlan: {
    method: 'POST',
    path: '/operator/api/customers/:account/plan/resume/',
    summary: 'Ends the pause of a plan at once; the owner gets a mail. 400 `no_change` when it is not paused',
    access: { staff: staffRights.helpCustomers },
    params: Account,
    body: z.object({ tracker: Id }),
    response: { 200: PausedPlans },
    errors: ['no_change'],
    safety: 'reversible',
    provenance: 'ours',
  },
  resend: {
    method: 'POST',
    path: '/operator/api/customers/:account/resend/',
    summary: 'Mails a new link to a user of the account, by default its owner: to confirm the address, or to set a password',
    access: { staff: staffRights.helpCustomers },
    params: Account,
    body: z.object({ user: z.optional(Id), mail: z.enum(RESENT_MAILS) }),
    response: { 200: z.object({ email: z.string() }) },
    errors: ['no_change'],
    safety: 'reversible',
    provenance: 'ours',
  },
  changeEmail: {
    method: 'POST',
    path: '/operator/api/customers/:account/email/',
    summary:
      'Starts a change of the e-mail address of a user of the account, by default its owner: mails a link to the new address, and a warning with a link that stops the change to the present one. Once the new address is confirmed it holds, and all sessions and API tokens of the user end',
    access: { staff: staffRights.helpCustomers },
    params: Account,
    body: NewCustomerEmail,
    response: { 200: z.object({ email: z.string() }) },
    errors: ['email_exists', 'no_change'],
    safety: 'reversible',
    provenance: 'ours',
  },
} as const satisfies Contract
