import { INCLUDED_MONTHS } from '#contracts/rules/subscription.ts'
import { usualBoard } from '#contracts/rules/tracking/tracker.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { touch, writeDevices } from '#db/device-changes.ts'
import { type DeedPorts, doDeed } from '#server/deeds/do-deed.ts'
import { type Claim, findClaimsOf, findItemsOf, type NewStockItem, type StockItem, saveStockItems, setSerial } from './stock.store.ts'
import { type Refusal, readStockFile, type StockEntry, type StockLine } from './stock-file.ts'

/** Lines per database query. */
const BATCH = 500

/** What a list of manufactured trackers would change; `save` does it. */
export type StockPlan = Awaited<ReturnType<typeof planImport>>

/**
 * Reads a list of manufactured trackers and compares it with the stock. Known items take over what the file says about them, so the same file
 * again changes nothing. Trackers that accounts have added without an S/N get theirs. Throws `UnusableFile` if it is no such list at all.
 */
export async function planImport(db: DbReader, source: AsyncIterable<Uint8Array | string>, now: Date) {
  const { lines, refused } = await readStockFile(source)
  const plans: Plan[] = []
  for (let start = 0; start < lines.length; start += BATCH) plans.push(await planBatch(db, lines.slice(start, start + BATCH), now))
  const count = (listOf: (plan: Plan) => readonly unknown[]) => plans.reduce((sum, plan) => sum + listOf(plan).length, 0)
  const counts = {
    added: count(({ added }) => added),
    changed: count(({ changed }) => changed),
    known: count(({ known }) => known),
    /** Trackers on accounts that get their S/N. */
    completed: count(({ unnumbered }) => unnumbered),
  }
  const allRefused = [...refused, ...plans.flatMap((plan) => plan.refused)].sort((a, b) => a.line - b.line)
  return { plans: plans.filter(isChange), counts, refused: allRefused }
}

/**
 * Saves a plan. Each batch has its own transaction, so that other writers do not wait for the whole file; the deed is in that of the last
 * one. After an interruption, the same file completes the import.
 */
export async function saveImport(ports: DeedPorts, { plans, counts, refused }: StockPlan, name: string) {
  const last = plans.at(-1)
  for (const plan of plans.slice(0, -1)) await writeDevices(ports.db, listLocks(plan), (tx) => applyPlan(tx, plan))
  return doDeed(ports, last ? listLocks(last) : [], async (tx) => {
    if (last) await applyPlan(tx, last)
    const detail = { added: counts.added, changed: counts.changed, refused: refused.length }
    return { deed: { kind: 'stock_imported', subject: name, detail }, response: counts }
  })
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
      const value = entry[column]
      plan.refused.push({ line, column, code: 'other', value, reason: `${value} belongs to another tracker` })
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

const isChange = ({ added, changed, unnumbered }: Plan) => added.length + changed.length + unnumbered.length > 0

const listLocks = ({ unnumbered }: Plan) => [...new Set(unnumbered.map(({ claim }) => `account:${claim.accountId}` as const))]

async function applyPlan(tx: Tx, { added, changed, unnumbered }: Plan) {
  await saveStockItems(tx, [...added, ...changed])
  for (const { claim, serial } of unnumbered) {
    touch(tx, claim)
    await setSerial(tx, claim.id, serial)
  }
}
