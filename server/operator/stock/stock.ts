import { createHash } from 'node:crypto'
import { type stock as contract, STOCK_LIMITS, type StockItem, type StockReport, type StockStep } from '#contracts/operator/stock.ts'
import { formatIdentifier, formatReference, normalizeIdentifier } from '#contracts/rules/reading/text.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import { type Deed, type DeedPorts, doDeed } from '#server/deeds/do-deed.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { parsePageEnd } from '#server/lib/pages/page-end.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { Repeat } from '#server/ports/world.ts'
import { planImport, type StockPlan, saveImport } from '#server/stock/import-stock.ts'
import { setBlocked } from '#server/stock/stock.store.ts'
import { UnusableFile } from '#server/stock/stock-file.ts'
import { endOfStock, findListedItem, type ListedItem, listStock, readItemRecords } from '#server/stock/stock-list.store.ts'

const PAGE_SIZE = 100

const toTime = (at: Date | null) => at && formatInstant(at)

const presentItem = (item: ListedItem): StockItem => ({
  identifier: formatIdentifier(item.identifier),
  serial: item.serial,
  type: item.type,
  board: item.boardName,
  months: item.includedMonths,
  batch: item.batch,
  state: item.state,
  added_at: toTime(item.addedAt),
  blocked_at: toTime(item.blockedAt),
  account: item.accountId,
  order: item.orderReference,
})

/** What happened to an item, oldest first; what has no known time comes first. Undefined when it is not in stock. */
export async function readItem(db: DbReader, identifier: string) {
  const item = await findListedItem(db, identifier)
  if (!item) return undefined
  const { claim, past, monthsUsed, requests, blocks } = await readItemRecords(db, identifier)
  const step = (at: Date | null, what: StockStep['what'], more: Partial<StockStep> = {}): { at: Date | null; step: StockStep } => ({
    at,
    step: { at: toTime(at), what, who: null, account: null, detail: null, ...more },
  })
  const isLogged = blocks.some(({ kind }) => kind === 'stock_blocked')
  const steps = [
    step(item.addedAt, 'added', { detail: item.batch }),
    ...past.flatMap(({ claimedAt, removedAt, accountId: account }) => [
      step(claimedAt, 'claimed', { account }),
      step(removedAt, 'removed', { account }),
    ]),
    ...(claim ? [step(claim.at, 'claimed', { account: claim.accountId })] : []),
    ...(monthsUsed ? [step(monthsUsed.at, 'months_used')] : []),
    ...requests.map(({ at, id }) => step(at, 'requested', { detail: formatReference(id) })),
    ...blocks.map(({ at, kind, who, detail: { reason = null } }) =>
      step(at, kind === 'stock_blocked' ? 'blocked' : 'unblocked', { who, detail: typeof reason === 'string' ? reason : null }),
    ),
    // Blocked before such deeds were logged.
    ...(item.blockedAt && !isLogged ? [step(item.blockedAt, 'blocked')] : []),
  ]
  const history = steps.sort((a, b) => (a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0)).map((each) => each.step)
  return { item: presentItem(item), history }
}

/** Blocks items of the stock, or lets accounts add them again; resolves to those that are in stock, and the others. */
export function blockItems(ports: DeedPorts, given: readonly string[], { isBlocked, reason }: { isBlocked: boolean; reason?: string }) {
  const identifiers = [...new Set(given.map((each) => normalizeIdentifier(each) ?? each))].sort()
  return doDeed(ports, [], async (tx) => {
    const found = await setBlocked(tx, identifiers, isBlocked ? ports.clock.now() : null)
    const changed = identifiers.filter((each) => found.includes(each)).map(formatIdentifier)
    const unknown = identifiers.filter((each) => !found.includes(each)).map(formatIdentifier)
    const kind = isBlocked ? ('stock_blocked' as const) : ('stock_unblocked' as const)
    const [deed, ...alike] = changed.map((subject): Deed => ({ kind, subject, ...(reason && { detail: { reason } }) }))
    if (!deed) throw new Failure('not_found')
    return { deed, alike, response: { changed, unknown } }
  })
}

const presentReport = ({ counts, refused }: Pick<StockPlan, 'counts' | 'refused'>): StockReport => ({
  ...counts,
  refused: refused.length,
  refused_lines: refused.slice(0, STOCK_LIMITS.refusedLines),
})

/** Throws a field error for a file that is no list of trackers. */
const planFile = (...args: Parameters<typeof planImport>) =>
  planImport(...args).catch((error: unknown) => {
    throw error instanceof UnusableFile ? invalidField('file', error.reason) : error
  })

/** The lines that make a file unusable as a whole. */
function refuseLines(refused: StockPlan['refused']) {
  const lines = refused.slice(0, STOCK_LIMITS.refusedLines)
  return new Failure('validation_error', { errors: lines.map(({ line, column, reason }) => ({ line, errors: { [column]: [reason] } })) })
}

/** Reads a file; `finish` returns the repeat with the hash of what was read, so that another file with the same key is refused. */
function hashWhileReading(source: AsyncIterable<Uint8Array>, repeat: Repeat | undefined) {
  const hash = createHash('sha256')
  const read = async function* () {
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
  }
  const finish = () => (repeat ? { repeat: { ...repeat, requestHash: sha256(repeat.requestHash + hash.digest('hex')) } } : {})
  return { source: read(), finish }
}

export const stock: Handlers<typeof contract> = {
  async list({ query: { after, ...query } }, { db }) {
    const rows = await listStock(db.read, { ...query, after: parsePageEnd(after), limit: PAGE_SIZE + 1 })
    const page = rows.slice(0, PAGE_SIZE)
    return { items: page.map(presentItem), next: rows.length > PAGE_SIZE ? endOfStock(page.at(-1)!, query.sort) : null }
  },
  async get({ params }, { db }) {
    const found = await readItem(db.read, normalizeIdentifier(params.identifier) ?? '')
    if (!found) throw new Failure('not_found')
    return found
  },
  preview: async ({ body }, { db, clock }) => presentReport(await planFile(db.read, body, clock.now())),
  async import({ query: { skip_invalid, name }, body }, context) {
    const { source, finish } = hashWhileReading(body, context.repeat)
    const plan = await planFile(context.db.read, source, context.clock.now())
    if (plan.refused.length > 0 && skip_invalid !== 'true') throw refuseLines(plan.refused)
    const counts = await saveImport({ ...context, ...finish() }, plan, name || 'csv')
    return presentReport({ counts, refused: plan.refused })
  },
  block: ({ body: { identifiers, reason } }, context) => blockItems(context, identifiers, { isBlocked: true, ...(reason && { reason }) }),
  unblock: ({ body }, context) => blockItems(context, body.identifiers, { isBlocked: false }),
}
