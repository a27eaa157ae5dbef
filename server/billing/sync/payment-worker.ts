import type Stripe from 'stripe'
import { HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import { pauseAtStripe } from '#server/billing/pauses/pause-at-stripe.ts'
import { changeRenewal } from '#server/billing/price-changes/reprice.ts'
import { countRefundable, findInvoiceByNumber } from '#server/billing/records/invoices.store.ts'
import { findCustomer } from '#server/billing/records/payment-methods.store.ts'
import {
  claimTask,
  listDueTasks,
  listRenewedPrices,
  type PaymentTask,
  postponeTask,
  removeFinishedTask,
} from '#server/billing/records/payment-tasks.store.ts'
import { parseProductId } from '#server/billing/records/price-list.ts'
import { describePayer, parsePayer } from '#server/billing/records/purchase-metadata.ts'
import { count } from '#server/lib/counts.ts'
import { runPeriodically } from '#server/lib/run-periodically.ts'
import { isMissing, isUnreachable, stripeId } from '#server/ports/payments.ts'
import type { Log, World } from '#server/ports/world.ts'
import { RECONCILE_EVERY_MS, reconcile } from './reconcile.ts'
import { type PaymentPorts, payBack, syncCustomer } from './sync-customer.ts'
import { continueWalk } from './walk-customers.ts'
import { processInbox } from './webhook.ts'

const FIRST_WAIT_MS = 60_000
const MAX_WAIT_MS = 6 * HOUR_MS

/**
 * Runs the due tasks. A task states the wanted end state, so it is safe to run it again when its success was not recorded. A failed task is
 * retried until it succeeds, with pauses from one minute up to six hours.
 */
export async function runTasks(ports: PaymentPorts) {
  for (const task of await listDueTasks(ports.db.read, ports.clock.now())) if (!ports.payments.calls.isPaused()) await runTask(ports, task)
}

/** Longer than the calls of one task take. Another process runs the task if this one was killed. */
const LEASE_MS = 10 * MINUTE_MS

async function runTask(ports: PaymentPorts, due: PaymentTask) {
  const { db, clock, log } = ports
  const until = new Date(clock.now().getTime() + LEASE_MS)
  const task = db.isShared ? await db.write([], (tx) => claimTask(tx, due, until)) : due
  if (!task) return
  try {
    if (task.kind === 'trim') await trimSubscription(ports, task.ref)
    else if (task.kind === 'refund') await refundRest(ports, task.ref)
    else if (task.kind === 'describe') await syncCustomer(ports, task.ref)
    else if (task.kind === 'pause') await pauseAtStripe(ports, task.ref, task.attempts)
    else if (task.kind === 'reprice') await changeRenewal(ports, Number(task.ref), task.attempts)
    else await deleteCustomer(ports.payments.stripe, task.ref)
    await db.write([], (tx) => removeFinishedTask(tx, task))
  } catch (error) {
    count(db, 'job_failures_total', { work: 'payment_task' })
    if (!isUnreachable(error)) log.error({ err: error, kind: task.kind, ref: task.ref }, 'a task at the card provider failed')
    const wait = Math.min(FIRST_WAIT_MS * 2 ** task.attempts, MAX_WAIT_MS)
    await db.write([], (tx) => postponeTask(tx, task, new Date(clock.now().getTime() + wait)))
  }
}

/** Pays back what is left of an invoice, after its customer has withdrawn from the contract. */
async function refundRest(ports: PaymentPorts, number: string) {
  const invoice = await findInvoiceByNumber(ports.db.read, number)
  const customer = invoice && (await findCustomer(ports.db.read, invoice.accountId))
  const amount = invoice ? countRefundable(invoice) : 0
  if (!invoice || !customer || amount === 0) return
  await payBack(ports.payments.stripe, invoice, { customer, amount, intent: `withdrawal ${number} ${invoice.refunded}` })
  await syncCustomer(ports, customer)
}

/**
 * Removes items that are no longer ours from a subscription, and cancels it when none is left. Voids an open invoice that is only for
 * removed items, since nothing was delivered for it.
 */
async function trimSubscription({ db, payments: { stripe } }: Pick<World, 'db' | 'payments'>, id: string) {
  const subscription = await ignoreMissing(() => stripe.subscriptions.retrieve(id))
  if (!subscription || subscription.status === 'canceled') return
  const kept = await listRenewedPrices(db.read, id)
  const surplus = subscription.items.data.filter((item) => !takeOne(kept, parseProductId(stripeId(item.price.product) ?? '')))
  const isOver = surplus.length === subscription.items.data.length
  if (isOver) await ignoreMissing(() => stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false }))
  else for (const item of surplus) await ignoreMissing(() => stripe.subscriptionItems.del(item.id, { proration_behavior: 'none' }))
  const left = new Set(isOver ? [] : subscription.items.data.filter((item) => !surplus.includes(item)).map((item) => item.id))
  for (const invoice of await openInvoices(stripe, { subscription: id }))
    if (!invoice.lines.data.some(({ parent }) => left.has(parent?.subscription_item_details?.subscription_item ?? '')))
      await ignoreMissing(() => stripe.invoices.voidInvoice(invoice.id))
}

/**
 * Deletes a customer after all others of the same account, such as those from before and after a restore: they are found by metadata as
 * long as this one exists.
 */
export async function deleteCustomer(stripe: Stripe, customer: string) {
  const found = await ignoreMissing(() => stripe.customers.retrieve(customer))
  const others = found && !found.deleted ? await listOfSameAccount(stripe, found) : []
  for (const id of [...others, customer]) await deleteAlone(stripe, id)
}

async function listOfSameAccount(stripe: Stripe, { id, metadata }: Stripe.Customer) {
  const { accountId, createdAt } = parsePayer(metadata) ?? {}
  // Ids are reused after a restore, so the account is identified by both.
  if (accountId === undefined || !createdAt) return []
  const payer = describePayer({ accountId, createdAt })
  const query = Object.entries(payer).map(([name, value]) => `metadata['${name}']:'${value}'`)
  const all = await stripe.customers.search({ query: query.join(' AND '), limit: 100 }).autoPagingToArray(AT_MOST)
  return all.map((customer) => customer.id).filter((each) => each !== id)
}

/** Deletes a customer with its cards and subscriptions; voids unpaid invoices and expires open checkouts first. */
async function deleteAlone(stripe: Stripe, customer: string) {
  for (const { id } of await openCheckouts(stripe, customer)) await ignoreMissing(() => stripe.checkout.sessions.expire(id))
  for (const { id } of await openInvoices(stripe, { customer })) await ignoreMissing(() => stripe.invoices.voidInvoice(id))
  await ignoreMissing(() => stripe.customers.del(customer))
}

const PAGING = { status: 'open', limit: 100 } as const
const AT_MOST = { limit: 1000 }

const openInvoices = async (stripe: Stripe, of: { customer: string } | { subscription: string }) =>
  (await ignoreMissing(() => stripe.invoices.list({ ...of, ...PAGING }).autoPagingToArray(AT_MOST))) ?? []

const openCheckouts = async (stripe: Stripe, customer: string) =>
  (await ignoreMissing(() => stripe.checkout.sessions.list({ customer, ...PAGING }).autoPagingToArray(AT_MOST))) ?? []

function takeOne(prices: (string | null)[], price: string | null) {
  const index = prices.indexOf(price)
  if (index >= 0) prices.splice(index, 1)
  return index >= 0
}

async function ignoreMissing<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/**
 * Returns a function that drains inbox and outbox once, and reconciles once an hour of the world's time. An iteration over all customers
 * advances by one page.
 */
export function createPaymentWorker() {
  let reconciledAt: Date | null = null
  return async (ports: PaymentPorts) => {
    if (ports.payments.calls.isPaused()) return
    await processInbox(ports)
    await runTasks(ports)
    const now = ports.clock.now()
    const since = reconciledAt === null ? RECONCILE_EVERY_MS : now.getTime() - reconciledAt.getTime()
    if (since < 0 || since >= RECONCILE_EVERY_MS) {
      await reconcile(ports)
      reconciledAt = now
    }
    if ((await continueWalk(ports)) !== null) await processInbox(ports)
  }
}

const TICK_MS = 5000

const LOG_EVERY_MS = 60_000

/** Logs each error at most once a minute: failed work is tried again every few seconds. */
export function limitRepeats(log: Log, readMonotonicMs = () => performance.now()): Log {
  const loggedAt = new Map<string, number>()
  return {
    info: log.info.bind(log),
    warn: log.warn.bind(log),
    error(data, message) {
      const { err } = data as { err?: unknown }
      const key = `${message} ${err instanceof Error ? err.message : ''}`
      const now = readMonotonicMs()
      for (const [known, at] of loggedAt) if (now - at >= LOG_EVERY_MS) loggedAt.delete(known)
      if (loggedAt.has(key)) return
      loggedAt.set(key, now)
      log.error(data, message)
    },
  }
}

/** Drains inbox and outbox until stopped; `stop` waits for the run in progress. */
export function runPayments(world: PaymentPorts) {
  const ports = { ...world, log: limitRepeats(world.log) }
  const worker = createPaymentWorker()
  const work = () =>
    worker(ports).catch((error) => {
      count(ports.db, 'job_failures_total', { work: 'payments' })
      if (!isUnreachable(error)) ports.log.error({ err: error }, 'could not process payments')
    })
  return runPeriodically(work, TICK_MS)
}
