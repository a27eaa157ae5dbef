import type { Db, Tx } from '#db/sqlite/open.ts'

/** A tracker whose answer on the wire a transaction changes. */
export type Changed = { id: number; accountId: number }

type Journal = {
  /** Rows changed so far, as far as they are accounted for; more means that somebody wrote without saying what. */
  counted: number
  count: () => number
  /** Counts changes; what was read at an earlier moment than a change is out of date. */
  moment: number
  everything: number
  devices: Map<number, number>
  accounts: Map<number, number>
}

const journals = new WeakMap<Db, Journal>()

/**
 * A transaction that says which trackers it changes, so that only those are read anew; none is fine too. Any other write
 * makes everything be read anew: forgetting to call this costs time, never truth.
 */
export const writeDevices = <T>(db: Db, work: (tx: Tx, touch: (device: Changed) => void) => Promise<T>) =>
  db.write(async (tx) => {
    const journal = journalOf(db)
    const before = journal.count()
    const touched: Changed[] = []
    const result = await work(tx, (device) => void touched.push(device))
    journal.counted += journal.count() - before
    if (touched.length > 0) journal.moment++
    for (const { id, accountId } of touched) {
      journal.devices.set(id, journal.moment)
      journal.accounts.set(accountId, journal.moment)
    }
    return result
  })

/** The moment at which a read begins; null while a transaction is open: what is read then must not be kept. */
export function momentOf(db: Db): number | null {
  if (db.raw.inTransaction) return null
  const journal = journalOf(db)
  const count = journal.count()
  if (count !== journal.counted) {
    journal.counted = count
    journal.everything = ++journal.moment
    journal.devices.clear()
    journal.accounts.clear()
  }
  return journal.moment
}

/** Whether what was read of a tracker at that moment still holds. Call `momentOf` first. */
export const isDeviceCurrent = (db: Db, id: number, moment: number) => isCurrent(journalOf(db), journalOf(db).devices.get(id), moment)

/** Whether what was read of all trackers of an account still holds; of all accounts when null. Call `momentOf` first. */
export const areDevicesCurrent = (db: Db, accountId: number | null, moment: number) => {
  const journal = journalOf(db)
  return isCurrent(journal, accountId === null ? journal.moment : journal.accounts.get(accountId), moment)
}

const isCurrent = ({ everything }: Journal, changedAt = 0, moment: number) => moment >= everything && moment >= changedAt

function journalOf(db: Db) {
  const known = journals.get(db)
  if (known) return known
  const statement = db.raw.prepare('select total_changes()').pluck()
  const count = () => statement.get() as number
  const journal: Journal = { counted: count(), count, moment: 1, everything: 1, devices: new Map(), accounts: new Map() }
  journals.set(db, journal)
  return journal
}
