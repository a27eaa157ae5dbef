import path from 'node:path'
import { pino } from 'pino'
import type { Db } from '#db/db.ts'
import { lockFolder, openDb, openSharedDb } from '#db/open/open-db.ts'
import { reconcileSince, showUnexplained } from '#server/billing/operator/reconcile-command.ts'
import { listArchivedInvoices, removeArchivedInvoices } from '#server/billing/records/invoices.store.ts'
import { PRICES_FORM } from '#server/billing/records/price-list.ts'
import { acceptClock, showClock } from '#server/clock/accept-clock.ts'
import { DATABASE_FILENAME, ensureDataDir } from '#server/http/process.ts'
import { unpackAll } from '#server/jobs/pack-positions.ts'
import { operateMails } from '#server/mail/mail-operator.ts'
import { ANNOUNCE_USAGE, operateAnnouncements } from '#server/operator/announcements/announce-command.ts'
import { CLAIMS_USAGE, operateClaims } from '#server/operator/claims/claims-command.ts'
import { CODES_USAGE, operateCodes } from '#server/operator/codes/codes-command.ts'
import { CUSTOMERS_USAGE, operateCustomers } from '#server/operator/customers/customers-command.ts'
import { GATEWAYS_USAGE, operateGateways } from '#server/operator/gateways/gateways.ts'
import { MONEY_USAGE, operateExport, operateRefund } from '#server/operator/invoices/money-command.ts'
import { ORDERS_USAGE, operateOrders } from '#server/operator/orders/orders-command.ts'
import { operatePrices, PRICES_USAGE } from '#server/operator/prices/prices-command.ts'
import { operateRequests, REQUESTS_USAGE } from '#server/operator/requests/requests.ts'
import { operateKeys, operateStaff, STAFF_USAGE } from '#server/operator/staff/staff-command.ts'
import { operateStock, STOCK_USAGE } from '#server/operator/stock/stock-command.ts'
import { operateWithdrawals, WITHDRAWALS_USAGE } from '#server/operator/withdrawals/withdrawals-command.ts'
import { systemClock } from '#server/ports/clock.ts'
import { systemIds } from '#server/ports/ids.ts'
import { createPayments } from '#server/ports/payments.ts'
import { finishRestore } from '#server/recovery/after-restore.ts'
import { endAllSessions } from '#server/security/open-sessions.ts'
import { readClaims } from '#server/stock/included-months.ts'
import { type Config, findEndingsFile, readConfig } from './config.ts'

const USAGE = `Usage: node dist/server/operator.js COMMAND
${PRICES_USAGE}
  stock import FILE.csv      adds manufactured trackers, which accounts can then claim; stock --help shows the form of the file
  stock list | show | block | unblock   prints the stock and what happened to a tracker, blocks trackers; see stock --help
${STAFF_USAGE}
${GATEWAYS_USAGE}
${REQUESTS_USAGE}
${CLAIMS_USAGE}
${ORDERS_USAGE}
${CUSTOMERS_USAGE}
${MONEY_USAGE}
${WITHDRAWALS_USAGE}
${CODES_USAGE}
${ANNOUNCE_USAGE}
  invoices                   prints the archived invoices of erased accounts, one JSON object a line
  invoices --remove-before=2016-01-01   removes the older ones, once the law no longer asks for them
  mails                      prints the mails that were given up: reason, mail server and its answer, one JSON object a line
  mails --again              sends them again; mails --again=ID sends one; mails --discard deletes all
  sessions end EMAIL         signs a user out everywhere
  sessions end --all         signs all users out; with --api-tokens at the end, their API tokens end too
  after-restore              after a backup was restored, before a server starts: ends what people had ended and all sessions, holds mails
  after-restore --api-tokens --new-passwords --endings=FILE   API tokens and passwords end too; FILE is the list of another server
  reconcile --since=2026-01-31   reads all customers from Stripe, after a restore from the last moment of the backup
  payments                   prints the payments that nothing explains, one JSON object a line
  payments --accept=ID,ID    marks them as known
  unpack                     makes rows of all packed positions, before a return to a release without packing (PostgreSQL; servers may run)
  clock                      prints the time of this machine, of the database, and of its newest entry
  clock accept               believes this machine's clock, after a time without a server or after a wrong clock was set right
  clock accept --catch-up    the same, and lets what has grown too old meanwhile be removed at once`

const COMMANDS = [
  'prices',
  'stock',
  'staff',
  'keys',
  'gateways',
  'requests',
  'claims',
  'orders',
  'customers',
  'refund',
  'export',
  'withdrawals',
  'codes',
  'announce',
  'invoices',
  'mails',
  'sessions',
  'after-restore',
  'reconcile',
  'payments',
  'unpack',
  'clock',
]

/** Commands of the counter: their deeds stand in the log, as those of staff do. */
const DEEDS = {
  staff: operateStaff,
  keys: operateKeys,
  gateways: operateGateways,
  requests: operateRequests,
  claims: operateClaims,
  orders: operateOrders,
  customers: operateCustomers,
  codes: operateCodes,
  withdrawals: operateWithdrawals,
  announce: operateAnnouncements,
}

/** These list without a word; `list` does the same, as with the other commands. */
const LISTING = ['staff', 'keys', 'gateways', 'requests', 'announce']

/**
 * The operator's commands for a production server, which may be running: prices, given-up mails, sessions, the clock, lost payments, and
 * the invoices that outlive their account.
 */
export async function operate(env: NodeJS.ProcessEnv, [command = '', argument, ...more]: string[]) {
  if (!COMMANDS.includes(command)) throw new Error(USAGE)
  if (command === 'prices' && argument === '--help') return void process.stdout.write(`${PRICES_FORM}\n`)
  if (command === 'stock' && (argument ?? '--help') === '--help') return void process.stdout.write(`${STOCK_USAGE}\n`)
  const config = readConfig(env)
  const { STRIPE_SECRET_KEY } = config
  const db = await openDatabase(config)
  const print = (line: string) => process.stdout.write(`${line}\n`)
  if (command === 'clock') {
    const [option] = more
    if ((argument ?? 'accept') !== 'accept' || (option ?? '--catch-up') !== '--catch-up') throw new Error(USAGE)
    const ports = { db, clock: systemClock, print }
    if (!argument) await showClock(ports)
    else if (!(await acceptClock(ports, { catchesUp: option !== undefined }))) process.exitCode = 1
  } else if (command === 'mails') {
    const args = [argument, ...more].filter((each) => each !== undefined)
    await operateMails(db, args, { now: systemClock.now(), print })
  } else if (command in DEEDS) {
    const origin = config.PORTAL_ORIGIN ?? ''
    const rules = { claims: readClaims(config), graceDays: config.GRACE_DAYS }
    const named = { origin, productName: config.PRODUCT_NAME }
    const ports = { db, positions: db.positions, clock: systemClock, ids: systemIds, print, ...named, ...rules }
    const isListed = LISTING.includes(command) && argument === 'list'
    const args = [...(isListed ? [] : [argument]), ...more].filter((each) => each !== undefined)
    if (!(await DEEDS[command as keyof typeof DEEDS](ports, args))) throw new Error(USAGE)
  } else if (command === 'prices') {
    const { PRICE_NOTICE_DAYS: priceNoticeDays } = config
    const stripe = STRIPE_SECRET_KEY ? connectPayments(config).stripe : undefined
    const args = [argument, ...more].filter((each) => each !== undefined)
    if (!(await operatePrices({ db, clock: systemClock, priceNoticeDays, stripe, print }, args))) throw new Error(USAGE)
  } else if (command === 'refund' || command === 'export') {
    const args = [argument, ...more].filter((each) => each !== undefined)
    const isDone =
      command === 'export'
        ? await operateExport({ db, write: (text) => void process.stdout.write(text) }, args)
        : await operateRefund(
            { db, clock: systemClock, print, log: pino({ level: 'error' }, pino.destination(2)), payments: connectPayments(config) },
            args,
          )
    if (!isDone) throw new Error(USAGE)
  } else if (command === 'stock') {
    const args = [argument, ...more].filter((each) => each !== undefined)
    if (!(await operateStock({ db, clock: systemClock, print }, args))) process.exitCode = 1
  } else if (command === 'sessions') {
    const ending = argument === 'end' ? parseEnding(more) : undefined
    if (!ending) throw new Error(USAGE)
    const { users, sessions, apiTokens } = await endAllSessions(db, { ...ending, now: systemClock.now() })
    const ended = [countOf(sessions, 'session'), ...(ending.withApiTokens ? [countOf(apiTokens, 'API token')] : [])].join(' and ')
    print(`Ended ${ended} of ${countOf(users, 'user')}.`)
  } else if (command === 'after-restore')
    await finishRestoreOf(
      config,
      db,
      [argument, ...more].filter((each) => each !== undefined),
      print,
    )
  else if (command === 'reconcile') await reconcileWithStripe(config, db, argument, print)
  else if (command === 'payments') {
    const ids = argument?.replace(/^--accept=/, '').split(',') ?? []
    await showUnexplained({ db, clock: systemClock }, ids, print)
  } else if (command === 'unpack') await unpackAll(db, print)
  else if (argument) {
    const before = new Date(argument.replace(/^--remove-before=/, ''))
    if (Number.isNaN(before.getTime())) throw new Error(USAGE)
    await db.write([], (tx) => removeArchivedInvoices(tx, before))
  } else for (const invoice of await listArchivedInvoices(db.read)) print(JSON.stringify(invoice))
  await db.close()
}

/** Parses an e-mail or `--all`, with or without `--api-tokens`; undefined for anything else. */
function parseEnding(args: string[]) {
  const [whose, ...more] = args.filter((arg) => arg !== '--api-tokens')
  if (whose === undefined || more.length > 0 || (whose !== '--all' && !whose.includes('@'))) return undefined
  return { email: whose === '--all' ? null : whose, withApiTokens: args.includes('--api-tokens') }
}

async function finishRestoreOf(config: Config, db: Db, args: string[], print: (line: string) => void) {
  const files = args.flatMap((arg) => /^--endings=(.+)$/.exec(arg)?.[1] ?? [])
  const switches = args.filter((arg) => !arg.startsWith('--endings='))
  if (switches.some((arg) => !['--api-tokens', '--new-passwords'].includes(arg))) throw new Error(USAGE)
  const unlock = config.DATABASE_URL ? () => {} : lockFolder(config.DATA_DIR)
  const [endsApiTokens, endsPasswords] = ['--api-tokens', '--new-passwords'].map((arg) => switches.includes(arg) || undefined)
  await finishRestore({ db, clock: systemClock, print }, { files: [findEndingsFile(config), ...files], endsApiTokens, endsPasswords })
  unlock()
}

/** Runs the sync itself, unless a server is using the data folder: then that server runs it, and this process only prints its progress. */
async function reconcileWithStripe(config: Config, db: Db, argument: string | undefined, print: (line: string) => void) {
  const { DATA_DIR, DATABASE_URL } = config
  const since = new Date(argument?.replace(/^--since=/, '') ?? Number.NaN)
  if (Number.isNaN(since.getTime())) throw new Error(USAGE)
  const payments = connectPayments(config)
  const log = pino({ level: 'error' }, pino.destination(2))
  const unlock = DATABASE_URL ? () => {} : tryLock(DATA_DIR)
  const isComplete = await reconcileSince({ db, clock: systemClock, payments, log }, { since, print, isServed: !unlock })
  unlock?.()
  if (!isComplete) process.exitCode = 1
}

function connectPayments({ STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: apiUrl }: Config) {
  if (!secretKey) throw new Error('Set STRIPE_SECRET_KEY to the key of the server.')
  return createPayments({ secretKey, publicKey: '', webhookSecret: '', apiUrl })
}

/** Undefined when a server is using the folder. */
function tryLock(folder: string) {
  try {
    return lockFolder(folder)
  } catch {
    return undefined
  }
}

async function openDatabase({ DATA_DIR, DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl }: Config) {
  if (url) return openSharedDb(url, systemClock.now(), { max: 2, directUrl })
  ensureDataDir(DATA_DIR)
  return openDb(path.join(DATA_DIR, DATABASE_FILENAME), { synchronous: 'FULL' })
}

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
