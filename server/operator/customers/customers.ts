import type {
  Customer,
  CustomerAlert,
  CustomerPerson,
  CustomerSort,
  CustomerTracker,
  customers as contract,
  ListedCustomer,
} from '#contracts/operator/customers.ts'
import { formatIdentifier } from '#contracts/rules/reading/text.ts'
import { computeService } from '#contracts/rules/service.ts'
import { currentSubState, isPaused } from '#contracts/rules/subscription.ts'
import { formatInstant, HOUR_MS } from '#contracts/rules/time.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import { personName } from '#contracts/rules/user.ts'
import { writeDevices } from '#db/device-changes.ts'
import { readLoginAttempts } from '#server/accounts/sessions/login-attempts.ts'
import { presentNotices } from '#server/alerts/notices/present-notices.ts'
import { resolveNotices } from '#server/alerts/notices/resolve-notices.ts'
import { presentDeed } from '#server/deeds/deeds.handlers.ts'
import { listDeeds } from '#server/deeds/deeds.store.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { formatPageEnd, parsePageEnd } from '#server/lib/pages/page-end.ts'
import { movePlan } from '#server/operator/plans/move-plan.ts'
import { pausePlan, resumePlan } from '#server/operator/plans/pause-plan.ts'
import { listRequestsOf } from '#server/operator/requests/requests.store.ts'
import { presentRequest } from '#server/operator/requests/requests.ts'
import type { StaffContext, World } from '#server/ports/world.ts'
import { insertEntries } from '#server/security/security.store.ts'
import { toSubscribed } from '#server/trackers/records/service.ts'
import { showSerial } from '#server/trackers/serials/shown-serial.ts'
import {
  countOf,
  type FiringRow,
  findAccount,
  hasReadSince,
  type InvoiceRow,
  listFiringsOf,
  listInvoicesOf,
  listOrdersOf,
  listPeople,
  listPlans,
  listSessionsOf,
  listStolen,
  listTrackers,
  listUsersWithFactor,
  type OrderRow,
  type PersonRow,
  sumPaid,
  type TrackerRow,
} from './customers.store.ts'
import { changeCustomerEmail, endCustomerSessions, giveMonths, makePro, resendMail, unlockCustomer } from './help.ts'
import { describeAccounts, type Found, listAccounts, searchAccounts } from './search.store.ts'

type Ports = Pick<World, 'db' | 'clock' | 'graceDays' | 'keepsMails'>

/** Staff are shown recipients as support in the portal is: shortened. */
const STAFF = { role: 'deepsupport', userId: 0 } as const

const PAGE_SIZE = 50
const LISTED = { trackers: 200, sales: 50, alerts: 50, requests: 20, deeds: 20 }

export const customerNumber = (accountId: number) => `C-${accountId}`

export const nameOf = ({ firstName, lastName, language }: Pick<PersonRow, 'firstName' | 'lastName' | 'language'>) =>
  personName(firstName, lastName, language)

async function presentAccounts({ db }: Pick<World, 'db'>, rows: readonly (Pick<Found, 'accountId'> & Partial<Found>)[]) {
  const described = await describeAccounts(
    db.read,
    rows.map(({ accountId }) => accountId),
  )
  return rows.flatMap(({ accountId, by, value }): ListedCustomer[] => {
    const { owner, trackers } = described.get(accountId)!
    if (!owner) return []
    return [
      {
        account: accountId,
        number: customerNumber(accountId),
        email: owner.email,
        name: nameOf(owner),
        created_at: formatInstant(owner.createdAt),
        trackers,
        found: by === undefined || value === undefined ? null : { by, value },
      },
    ]
  })
}

type CustomerQuery = { q?: string | undefined; sort?: CustomerSort | undefined; before?: string | undefined }

/** Finds customers by one text; without it, a page of all. */
export async function findCustomers(ports: Pick<World, 'db'>, { q = '', sort, before }: CustomerQuery) {
  const { read } = ports.db
  if (q !== '') {
    const rows = await searchAccounts(read, q, PAGE_SIZE)
    return { customers: await presentAccounts(ports, rows.slice(0, PAGE_SIZE)), is_complete: rows.length <= PAGE_SIZE, next: null }
  }
  const rows = await listAccounts(read, sort, parsePageEnd(before), PAGE_SIZE + 1)
  const page = rows.slice(0, PAGE_SIZE).map(({ accountId }) => ({ accountId }))
  const next = rows.length > PAGE_SIZE ? endOfAccounts(rows[PAGE_SIZE - 1]!, sort) : null
  return { customers: await presentAccounts(ports, page), is_complete: next === null, next }
}

function endOfAccounts({ accountId, name, email }: Awaited<ReturnType<typeof listAccounts>>[number], sort: CustomerSort = '-since') {
  const values = { name, email, since: accountId }
  return formatPageEnd(values[sort.replace(/^-/, '') as keyof typeof values], accountId)
}

async function presentPeople({ db, clock }: Ports, people: PersonRow[]): Promise<CustomerPerson[]> {
  const now = clock.now()
  const ids = people.map(({ id }) => id)
  const sessions = await listSessionsOf(db.read, ids, now)
  const withFactor = await listUsersWithFactor(db.read, ids)
  return Promise.all(
    people.map(async (person) => {
      const { wrongPasswords, lockedUntil } = await readLoginAttempts(db.read, person, now)
      return {
        id: person.id,
        email: person.email,
        email_confirmed: person.emailConfirmed,
        name: nameOf(person),
        role: person.role,
        language: person.language,
        time_zone: person.timeZone,
        created_at: formatInstant(person.createdAt),
        has_password: person.passwordHash !== null,
        has_second_factor: withFactor.has(person.id),
        wrong_passwords: wrongPasswords,
        locked_until: lockedUntil && formatInstant(lockedUntil),
        sessions: sessions
          .filter(({ userId }) => userId === person.id)
          .map(({ createdAt, lastSeenAt, agent }) => ({
            created_at: formatInstant(createdAt),
            last_seen_at: formatInstant(lastSeenAt),
            agent,
          })),
      }
    }),
  )
}

const isLost = (mode: number | null) => mode !== null && modeLabel(mode).kind === 'lost'

export async function presentTrackers({ db, clock, graceDays }: Ports, rows: TrackerRow[]): Promise<CustomerTracker[]> {
  const now = clock.now()
  const ids = rows.map(({ device }) => device.id)
  const plans = await listPlans(db.read, ids)
  const stolen = await listStolen(db.read, ids)
  return rows.map(({ device, stock, monthsUsedAt }) => {
    const { type, subState, subEndDate, createdAt, pausedUntil } = device
    const plan = plans.get(device.id)
    return {
      id: device.id,
      name: device.name,
      type,
      kind: device.kind,
      identifier: device.identifier && formatIdentifier(device.identifier),
      serial: showSerial(device.serial, 'end'),
      added_at: formatInstant(createdAt),
      last_message_at: device.lastMessageAt && formatInstant(device.lastMessageAt),
      reported_missing: stolen.has(device.id) || isLost(device.mode) || isLost(device.pendingMode),
      sub_state: currentSubState(subState, subEndDate, now),
      sub_end_date: subEndDate && formatInstant(subEndDate),
      service: computeService(toSubscribed(device), now, graceDays).state,
      paused_until: isPaused(device, now) && pausedUntil ? formatInstant(pausedUntil) : null,
      plan: plan
        ? {
            name: plan.price,
            months: plan.subscription.months,
            extra: plan.subscription.extra,
            renews: plan.subscription.isRecurring,
            renews_at: plan.subscription.renewsAt && formatInstant(plan.subscription.renewsAt),
            started_at: formatInstant(plan.subscription.startedAt),
          }
        : null,
      stock: stock && {
        batch: stock.batch,
        included_months: monthsUsedAt === null ? stock.includedMonths : null,
        is_blocked: stock.blockedAt !== null,
        order: stock.orderReference,
      },
    }
  })
}

const labelsOf = (lines: OrderRow['lines']) => lines.map(({ label, quantity }) => (quantity > 1 ? `${quantity} × ${label}` : label))

const presentOrder = ({ reference, date, status, total, currency, lines }: OrderRow) => ({
  reference,
  date: formatInstant(date),
  status,
  total,
  currency,
  lines: labelsOf(lines),
})

const presentInvoice = ({ orderReference, date, lines, id, number, amount, balance, refunded, currency, status, dispute }: InvoiceRow) => ({
  ...{ id, number, date: formatInstant(date), amount, balance, refunded, currency, status, dispute },
  order: orderReference,
  lines: labelsOf(lines),
})

async function presentAlerts({ db, keepsMails = false }: Ports, rows: FiringRow[]): Promise<CustomerAlert[]> {
  const lines = await resolveNotices(
    db.read,
    rows.map(({ firing }) => firing.notices ?? []),
    { isSettled: keepsMails },
  )
  return rows.map(({ firing: { id, at, publishedAt, kind, notices }, deviceName }, index) => ({
    id,
    at: formatInstant(at),
    published_at: publishedAt && formatInstant(publishedAt),
    kind,
    device_name: deviceName,
    notices: notices && presentNotices(lines[index] ?? [], STAFF),
  }))
}

/** Everything about one account. Throws `not_found`. */
export async function readCustomer(ports: Ports, accountId: number): Promise<Customer> {
  const { db, clock } = ports
  const { read } = db
  const account = await findAccount(read, accountId)
  const people = account ? await listPeople(read, accountId) : []
  const [owner] = people
  if (!account || !owner) throw new Failure('not_found')
  const trackers = await listTrackers(read, accountId, LISTED.trackers)
  const requests = await listRequestsOf(read, {
    userIds: people.map(({ id }) => id),
    identifiers: trackers.flatMap(({ device }) => device.identifier ?? []),
    limit: LISTED.requests,
  })
  const shown = await presentPeople(ports, people)
  const lastSeen = shown.flatMap(({ sessions }) => sessions.map((session) => session.last_seen_at)).sort()
  return {
    account: accountId,
    number: customerNumber(accountId),
    email: owner.email,
    name: nameOf(owner),
    is_pro: account.isPro,
    created_at: formatInstant(owner.createdAt),
    last_seen_at: lastSeen.at(-1) ?? null,
    paid: await sumPaid(read, accountId),
    counts: await countOf(read, accountId),
    people: shown,
    trackers: await presentTrackers(ports, trackers),
    orders: (await listOrdersOf(read, accountId, LISTED.sales)).map(presentOrder),
    invoices: (await listInvoicesOf(read, accountId, LISTED.sales)).map(presentInvoice),
    alerts: await presentAlerts(ports, await listFiringsOf(read, accountId, LISTED.alerts)),
    requests: await Promise.all(requests.map((row) => presentRequest(read, row, clock.now()))),
    deeds: (await listDeeds(read, { accountId }, LISTED.deeds)).map(presentDeed),
  }
}

/** Records in the log of the owner who has read the page, once an hour. */
async function recordReading({ db, clock, actor: { who } }: StaffContext, accountId: number) {
  const now = clock.now()
  if (await hasReadSince(db.read, { accountId, who, since: new Date(now.getTime() - HOUR_MS) })) return
  await writeDevices(db, [], (tx) => insertEntries(tx, [{ accountId, kind: 'data_read', who, at: now }]))
}

export const customers: Handlers<typeof contract> = {
  list: ({ query }, context) => findCustomers(context, query),
  async read({ params }, context) {
    const customer = await readCustomer(context, params.account)
    await recordReading(context, params.account)
    return customer
  },
  endSessions: ({ params }, context) => endCustomerSessions(context, params.account),
  unlock: ({ params }, context) => unlockCustomer(context, params.account),
  makePro: ({ params }, context) => makePro(context, params.account),
  giveMonths: ({ params, body }, context) => giveMonths(context, params.account, body),
  movePlan: ({ params, body }, context) => movePlan(context, params.account, body),
  pausePlan: ({ params, body }, context) => pausePlan(context, params.account, body),
  resumePlan: ({ params, body }, context) => resumePlan(context, params.account, body.tracker),
  resend: ({ params, body }, context) => resendMail(context, params.account, body),
  changeEmail: ({ params, body }, context) => changeCustomerEmail(context, params.account, body),
}
