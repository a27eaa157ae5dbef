import * as z from 'zod/mini'
import { FiredRule } from '#contracts/alerts.ts'
import { CARE_REASONS, CARE_STATUSES } from '#contracts/billing/care-claims.ts'
import { ORDER_STATUSES } from '#contracts/billing/orders.ts'
import { FIRING_KINDS } from '#contracts/firings.ts'
import { Latitude, Longitude } from '#contracts/lib/common.ts'
import { CREDIT_REASONS } from '#contracts/operator/invoices.ts'
import { REQUEST_KINDS, REQUEST_STATUSES } from '#contracts/operator/requests.ts'
import { TAX_BEHAVIORS } from '#contracts/rules/price.ts'
import { tagKey } from '#contracts/rules/reading/text.ts'
import { INVOICE_STATUSES } from '#contracts/rules/subscription.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { usualBoard, usualOperator } from '#contracts/rules/tracking/tracker.ts'
import { THEFT_STATUSES } from '#contracts/theft.ts'
import { UNLINK_REASONS } from '#contracts/trackers/conflicts.ts'
import { accounts, teamDevices, users } from '#db/schema/accounts.ts'
import type { Table } from '#db/schema/columns.ts'
import {
  archivedInvoices,
  counters,
  invoices,
  orders,
  paymentMethods,
  prices,
  subscriptions,
  verificationCodes,
} from '#db/schema/commerce.ts'
import { devices, hiddenDevices, includedMonthsUsed, sct2Params, stockItems, tags } from '#db/schema/devices.ts'
import { networkNumbers, uplinkMappings } from '#db/schema/networks.ts'
import {
  alertContacts,
  alertDevices,
  alertFirings,
  alertSilenceDevices,
  alertSilences,
  alerts,
  batteryContacts,
  contacts,
  mailStops,
  placeDevices,
  places,
} from '#db/schema/places.ts'
import { usualAreas } from '#db/schema/positions.ts'
import { careClaims, creditNotes, invoicePayments } from '#db/schema/returns.ts'
import { linkDevices, publicLinks, serialAttempts, serialChecks, theftReports, unlinkRequests } from '#db/schema/sharing.ts'
import { ENTITY_KINDS, encloseShapeOfPlace } from '#server/mock/entities/entity-kinds.ts'
import type { Row } from '#server/mock/entities/entity-row.ts'

/** Defaults for rows: the instant that the world is relative to, and the hash of the common password. */
export type Completion = { anchor: Date; passwordHash: string }

type Default = (row: Row, completion: Completion) => unknown

/** Rows that belong to a row of a resource, written as a list within it. `parent` is the column that refers to it. */
export type Child = { name: string; table: Table; parent: string }

/** A list of the document. */
export type Resource = {
  name: string
  table: Table
  /** Schemas of columns whose own types are too wide. */
  values?: Record<string, z.ZodMiniType>
  /** The default of a missing column, if that is neither null nor the default of the table. */
  defaults?: Record<string, Default>
  /** Computes columns from others, and from the row as it is written in the document. */
  derive?: (row: Row, written: Row) => Row
  children?: readonly Child[]
  /** Columns that are not in the document: secrets, and derived values. */
  hidden?: readonly string[]
}

const atAnchor: Default = (_, { anchor }) => anchor
const after = (days: number): Default => {
  return (_, { anchor }) => new Date(anchor.getTime() + days * DAY_MS)
}
const constant = (value: unknown): Default => {
  return () => value
}
const numbered = (head: string, digits: number): Default => {
  return ({ id }) => head + String(id).padStart(digits - head.length, '0')
}
const nameOf = (email: unknown) => String(email).split('@')[0]!

const Lines = z.array(z.object({ label: z.string(), quantity: z.int(), unit_amount: z.int() }))

/** The lists of a document, each after those it references. */
export const RESOURCES: readonly Resource[] = [
  { name: 'accounts', table: accounts },
  {
    name: 'users',
    table: users,
    values: ENTITY_KINDS.users.values,
    defaults: {
      username: ({ email }) => email,
      emailConfirmed: constant(true),
      passwordHash: (_, { passwordHash }) => passwordHash,
      firstName: ({ email }) => nameOf(email),
      lastName: constant(''),
      createdAt: atAnchor,
    },
    children: [
      { name: 'team_trackers', table: teamDevices, parent: 'userId' },
      { name: 'hidden_trackers', table: hiddenDevices, parent: 'userId' },
    ],
  },
  {
    name: 'tags',
    table: tags,
    defaults: { key: ({ name }) => tagKey(String(name)), color: constant('#1f6fb2') },
    hidden: ['key'],
  },
  {
    name: 'trackers',
    table: devices,
    values: ENTITY_KINDS.trackers.values,
    defaults: {
      type: constant('tracker_01'),
      boardName: ({ type }) => usualBoard(type as 'tracker_01'),
      operator: ({ type }) => usualOperator(type as 'tracker_01'),
      identifier: numbered('95', 10),
      serial: numbered('OWN', 12),
      kind: constant('other'),
      mode: constant(1),
      subState: constant('active'),
      subEndDate: ({ subState }, completion) => (subState === 'active' ? after(365)({}, completion) : null),
      createdAt: atAnchor,
    },
    children: [{ name: 'battery_contacts', table: batteryContacts, parent: 'deviceId' }],
    hidden: ['takesDownlinks'],
  },
  { name: 'configurable_modes', table: sct2Params },
  {
    name: 'usual_areas',
    table: usualAreas,
    values: { dismissed: z.array(z.array(z.object({ lat: Latitude, lng: Longitude }))) },
    defaults: { isOn: constant(true), dueAt: ({ isOn }) => (isOn ? new Date(0) : null) },
    // Learnt from the positions when the world is created.
    hidden: ['cells', 'learnt', 'learntAt', 'dueAt', 'version'],
  },
  { name: 'network_numbers', table: networkNumbers },
  { name: 'uplink_mappings', table: uplinkMappings },
  {
    name: 'stock_items',
    table: stockItems,
    values: ENTITY_KINDS.stock.values,
    defaults: { type: constant('tracker_01'), boardName: ({ type }) => usualBoard(type as 'tracker_01') },
  },
  { name: 'included_months_used', table: includedMonthsUsed },
  {
    name: 'places',
    table: places,
    values: ENTITY_KINDS.places.values,
    defaults: { address: ({ name }) => name, type: constant('other'), radius: constant(200) },
    derive: encloseShapeOfPlace,
    children: [{ name: 'trackers', table: placeDevices, parent: 'placeId' }],
  },
  { name: 'contacts', table: contacts, values: { email: z.email() }, defaults: { name: ({ email }) => nameOf(email) } },
  { name: 'mail_stops', table: mailStops },
  {
    name: 'alerts',
    table: alerts,
    values: ENTITY_KINDS.alerts.values,
    defaults: { isVehicleAlert: ({ placeId, rule }) => (placeId ?? null) === null && (rule ?? null) === null },
    children: [
      { name: 'trackers', table: alertDevices, parent: 'alertId' },
      { name: 'contacts', table: alertContacts, parent: 'alertId' },
    ],
  },
  {
    name: 'silences',
    table: alertSilences,
    values: { kinds: z.array(z.enum(FIRING_KINDS)) },
    defaults: { createdAt: atAnchor, until: after(1) },
    derive: (row, { trackers }) => ({ isForAllDevices: !Array.isArray(trackers) || trackers.length === 0, ...row }),
    children: [{ name: 'trackers', table: alertSilenceDevices, parent: 'silenceId' }],
  },
  { name: 'firings', table: alertFirings, values: { rule: FiredRule }, hidden: ['notices', 'isOpen'] },
  {
    name: 'links',
    table: publicLinks,
    values: ENTITY_KINDS.links.values,
    defaults: {
      label: constant('Link'),
      endsAt: after(7),
      isPermanent: constant(false),
      showsLastPoint: constant(false),
      createdAt: atAnchor,
    },
    children: [{ name: 'more_trackers', table: linkDevices, parent: 'linkUuid' }],
  },
  { name: 'theft_reports', table: theftReports, values: { status: z.enum(THEFT_STATUSES) } },
  { name: 'serial_attempts', table: serialAttempts },
  { name: 'serial_checks', table: serialChecks, hidden: ['proofHash', 'proofExpiresAt', 'proofUserId'] },
  {
    name: 'unlink_requests',
    table: unlinkRequests,
    values: { reason: z.enum(UNLINK_REASONS), status: z.enum(REQUEST_STATUSES), kind: z.enum(REQUEST_KINDS) },
    defaults: { kind: constant('tracker') },
  },
  {
    name: 'prices',
    table: prices,
    values: { type: z.enum(['plan', 'option', 'tracker']), taxBehavior: z.enum(TAX_BEHAVIORS), interval: z.enum(['month', 'year']) },
  },
  {
    name: 'subscriptions',
    table: subscriptions,
    values: { options: z.array(z.string()) },
    defaults: { isRecurring: constant(false), months: constant(12), extra: constant(0), options: constant([]), startedAt: atAnchor },
  },
  {
    name: 'care_claims',
    table: careClaims,
    values: { reason: z.enum(CARE_REASONS), status: z.enum(CARE_STATUSES) },
    defaults: { status: constant('open'), createdAt: atAnchor },
    hidden: ['checkoutId'],
  },
  { name: 'verification_codes', table: verificationCodes },
  { name: 'invoices', table: invoices, values: { status: z.enum(INVOICE_STATUSES), lines: Lines } },
  { name: 'archived_invoices', table: archivedInvoices, values: { status: z.enum(INVOICE_STATUSES), lines: Lines } },
  { name: 'invoice_payments', table: invoicePayments },
  { name: 'credit_notes', table: creditNotes, values: { reason: z.enum(CREDIT_REASONS) } },
  { name: 'orders', table: orders, values: { status: z.enum(ORDER_STATUSES), lines: Lines } },
  { name: 'counters', table: counters },
  { name: 'cards', table: paymentMethods },
]

/** Fields that refer to a row of another list. */
export const REFERENCES: Record<string, string> = {
  account: 'accounts',
  user: 'users',
  tracker: 'trackers',
  tag: 'tags',
  place: 'places',
  contact: 'contacts',
  alert: 'alerts',
  price: 'prices',
  invoice: 'invoices',
}
