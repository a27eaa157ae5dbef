import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ORDER_STATES, operatorOrders, PARCEL_LENGTH } from '#contracts/operator/orders.ts'
import { readParcelLines } from '#contracts/rules/reading/parcel-lines.ts'
import { type DeedPorts, PROGRAM } from '#server/deeds/do-deed.ts'
import { Failure } from '#server/lib/errors.ts'
import { deliverOrder, pickOrder, returnOrder, shipOrder } from './move-order.ts'
import { readOrder, readPage } from './orders.handlers.ts'
import { previewShipments, shipOrders } from './ship-orders.ts'

export const ORDERS_USAGE = `  orders list [${ORDER_STATES.join('|')}] [--search=TEXT]   prints orders, the newest first, one JSON object a line
  orders show ORD-1001       prints an order with its lines, its address and the items that were sent
  orders pick ORD-1001 [S/N …]   notes that its items were taken from the stock, and which ones
  orders ship ORD-1001 --carrier=DHL --tracking=0034…   hands it to the carrier; the owner gets a mail
  orders ship --file=FILE.csv [--check]   ships the orders of a csv of order, carrier and parcel; --check only tells what would happen
  orders deliver ORD-1001    notes that it has arrived
  orders return ORD-1001     notes that it came back; its items are in stock again`

type Ports = Omit<DeedPorts, 'actor'> & { print(line: string): void }

const OPTIONS = {
  search: { type: 'string' },
  carrier: { type: 'string' },
  tracking: { type: 'string' },
  file: { type: 'string' },
  check: { type: 'boolean' },
} as const

/** Returns false for arguments that it does not know. Throws a sentence for a step that is not possible. */
export async function operateOrders(given: Ports, args: string[]) {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  const [deed = 'list', about, ...more] = positionals
  if (deed === 'list') return more.length === 0 && (await printOrders(given, about, values.search))
  if (deed === 'ship' && values.file !== undefined)
    return about === undefined && (await shipFile({ ...given, actor: PROGRAM }, values.file, values.check ?? false))
  if (!operatorOrders.read.params.safeParse({ reference: about }).success) return false
  const reference = about!
  if (deed === 'show') {
    given.print(JSON.stringify(await readOrder(given.db.read, reference).catch(explain)))
    return true
  }
  const step = findStep({ ...given, actor: PROGRAM }, deed, { reference, more, ...values })
  if (!step) return false
  given.print(`${reference} is now: ${(await step().catch(explain)).state}.`)
  return true
}

type Input = { reference: string; more: string[]; carrier?: string; tracking?: string }

function findStep(ports: DeedPorts, deed: string, { reference, more, carrier, tracking }: Input) {
  if (deed === 'pick') return () => pickOrder(ports, reference, more)
  if (more.length > 0) return undefined
  if (deed === 'deliver') return () => deliverOrder(ports, reference)
  if (deed === 'return') return () => returnOrder(ports, reference)
  const fits = (text: string | undefined, most: number) => text === undefined || (text.trim() !== '' && text.length <= most)
  const isShipped = deed === 'ship' && carrier && fits(carrier, PARCEL_LENGTH.carrier) && fits(tracking, PARCEL_LENGTH.tracking)
  return isShipped ? () => shipOrder(ports, reference, { carrier, tracking }) : undefined
}

/** Prints a line for each order. Sets the exit code when one was not shipped. */
async function shipFile(ports: Ports & DeedPorts, file: string, isCheck: boolean) {
  const { lines, unreadable } = readParcelLines(readFileSync(file, 'utf8'))
  if (unreadable.length > 0)
    throw new Error(`These lines are not order, carrier and parcel: ${unreadable.join(', ')}. Nothing was shipped.`)
  const parcels = lines.map(({ tracking, ...line }) => ({ ...line, ...(tracking && { tracking }) }))
  const parsed = operatorOrders.shipMany.body.safeParse({ orders: parcels })
  if (!parsed.success) throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
  const { orders } = parsed.data
  const shipments = isCheck ? await previewShipments(ports.db.read, orders) : await shipOrders(ports, orders)
  for (const { order, outcome } of shipments) ports.print(`${order}: ${outcome}`)
  if (shipments.some(({ outcome }) => !['ready', 'shipped', 'already'].includes(outcome))) process.exitCode = 1
  return true
}

async function printOrders({ db, print }: Ports, text: string | undefined, search: string | undefined) {
  const state = ORDER_STATES.find((each) => each === text)
  if (text !== undefined && !state) return false
  let after: string | null | undefined
  do {
    const { orders, next } = await readPage(db.read, { state, search, ...(after && { after }) })
    for (const order of orders) print(JSON.stringify(order))
    after = next
  } while (after)
  return true
}

/** The failures of the calls as sentences. */
function explain(error: unknown): never {
  if (!(error instanceof Failure)) throw error
  const sentences: Partial<Record<Failure['code'], string>> = {
    not_found: 'There is no such order.',
    wrong_step: 'The order is in another state, so this step is not possible. Its state is printed by orders show.',
    order_refunded: 'The order was paid back, so it is not sent.',
    not_in_stock: 'One of the items is not in stock.',
    in_use: 'One of the items is blocked, was sent before, or is on an account.',
  }
  throw new Error(sentences[error.code] ?? error.message, { cause: error })
}
