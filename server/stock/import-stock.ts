import { INCLUDED_MONTHS } from '#contracts/rules/subscription.ts'
import { usualBoard } from '#contracts/rules/tracking/tracker.ts'
import type { Db, DbReader } from '#db/db.ts'
import { touch, writeDevices } from '#db/device-changes.ts'
import { type Claim, findClaimsOf, findItemsOf, type NewStockItem, type StockItem, saveStockItems, setSerial } from './stock.store.ts'
import { type Refusal, readStockFile, type StockEntry, type StockLine } from './stock-file.ts'

/** Lines per database query. */
const BATCH = 500

type Options = {
  now: Date
  /** Take the good lines of a file that has bad ones; otherwise none is taken. */
  skipsInvalid?: boolean
}

/**
 * Imports a list of manufactured trackers into the stock. Known items take over what the file says about them, so the same file again changes
 * nothing. Trackers that accounts have added without an S/N get theirs. Each batch has its own transaction, so that other writers do not wait
 * for the whole file.
 */
export async function importStock(db: Db, source: AsyncIterable<Uint8Array | string>, { now, skipsInvalid = false }: Options) {
  const { lines, refused } = await readStockFile(source)
  const plans: Plan[] = []
  for (let start = 0; start < lines.length; start += BATCH) plans.push(await planBatch(db.read, lines.slice(start, start + BATCH), now))
  const allRefused = [...refused, ...plans.flatMap((plan) => plan.refused)].sort((a, b) => a.line - b.line)
  const isSaved = skipsInvalid || allRefused.length === 0
  if (isSaved) for (const plan of plans) await savePlan(db, plan)
  const count = (listOf: (plan: Plan) => readonly unknown[]) => plans.reduce((sum, plan) => sum + listOf(plan).length, 0)
  return {
    isSaved,
    added: count(({ added }) => added),
    changed: count(({ changed }) => changed),
    known: count(({ known }) => known),
    /** Trackers on accounts that got their S/N. */
    completed: count(({ unnumbered }) => unnumbered),
    refused: allRefused,
  }
}

type Plan = {
  added: NewStockItem[]
  changed: NewStockItem[]
  known: StockLine[]
  unnumbered: { claim: Claim; serial: string }[]
  refused: Refusal[]
}

type Numbered = { identifier: string | null; serial: string | null }

async function planBatch(db: DbReader, lines: readonly StockLine[], now: Date): Promise<Plan> {
  const entries = lines.map(({ entry }) => entry)
  const stock = indexNumbers(await findItemsOf(db, entries))
  const claims = indexNumbers(await findClaimsOf(db, entries))
  const plan: Plan = { added: [], changed: [], known: [], unnumbered: [], refused: [] }
  for (const stockLine of lines) {
    const { line, entry } = stockLine
    const column = findConflict(entry, stock) ?? findConflict(entry, claims)
    if (column) {
      plan.refused.push({ line, column, reason: `${entry[column]} belongs to another tracker` })
      continue
    }
    const item = stock.byIdentifier.get(entry.identifier)
    const merged = mergeEntry(entry, item)
    if (!item) plan.added.push({ ...merged, addedAt: now })
    else if (isSameItem(item, merged)) plan.known.push(stockLine)
    else plan.changed.push(merged)
    const claim = claims.byIdentifier.get(entry.identifier)
    if (claim?.serial === null) plan.unnumbered.push({ claim, serial: entry.serial })
  }
  return plan
}

const indexNumbers = <T extends Numbered>(rows: readonly T[]) => ({
  byIdentifier: new Map(rows.map((row) => [row.identifier, row])),
  bySerial: new Map(rows.map((row) => [row.serial, row])),
})

/** The number of an entry that belongs to another tracker. One without an S/N may get it. */
function findConflict({ identifier, serial }: StockEntry, { byIdentifier, bySerial }: ReturnType<typeof indexNumbers<Numbered>>) {
  const same = byIdentifier.get(identifier)
  if (same && same.serial !== null && same.serial !== serial) return 'identifier'
  const owner = bySerial.get(serial)
  return owner && owner.identifier !== identifier ? 'serial' : undefined
}

/** What a line leaves out stays as it is in stock, or has its usual value. */
const mergeEntry = (entry: StockEntry, item: StockItem | undefined) => ({
  identifier: entry.identifier,
  serial: entry.serial,
  type: entry.type,
  boardName: entry.boardName ?? (item?.type === entry.type ? item.boardName : usualBoard(entry.type)),
  includedMonths: entry.includedMonths ?? item?.includedMonths ?? INCLUDED_MONTHS,
  batch: entry.batch ?? item?.batch ?? null,
})

const isSameItem = (item: StockItem, merged: ReturnType<typeof mergeEntry>) =>
  Object.entries(merged).every(([name, value]) => item[name as keyof typeof merged] === value)

async function savePlan(db: Db, { added, changed, unnumbered }: Plan) {
  const locks = [...new Set(unnumbered.map(({ claim }) => `account:${claim.accountId}` as const))]
  if (added.length + changed.length + unnumbered.length === 0) return
  await writeDevices(db, locks, async (tx) => {
    await saveStockItems(tx, [...added, ...changed])
    for (const { claim, serial } of unnumbered) {
      touch(tx, claim)
      await setSerial(tx, claim.id, serial)
    }
  })
}
