import { classifyDbError, isLockTimeout } from '#db/classify-error.ts'
import type { Db } from '#db/db.ts'
import { findNumbers, isNamed, type NumberedTracker, type TrackerName } from '#server/tracking/history/positions.store.ts'

/** A message that waits for its transaction. `tracker`: the one it names, as far as this process knows. */
export type Queued = { name: TrackerName; tracker?: NumberedTracker | undefined; isSecondTry?: boolean }

/**
 * `commit` processes a group in one transaction, and returns the messages whose tracker is no longer the one that was known.
 * `patienceMs`: how long it may wait for a lock.
 */
type Steps<Item extends Queued> = {
  commit(items: Item[], patienceMs?: number): Promise<Item[]>
  /** No tracker has the numbers of the message. */
  refuse(item: Item): void
  fail(item: Item, error: unknown): void
}

/** Messages per transaction, so that other writers are not blocked for long. */
const MAX_GROUP = 200
/**
 * Groups at a time on a database server: while it writes one, this process judges the next. SQLite works in this process, so there a second
 * group would only wait.
 */
const MAX_RUNNING = 2
/** Messages of a second group: a smaller one waits for the first, because a commit costs as much as many messages. */
const MIN_SECOND = 8
/** A group whose account is locked by others for longer is split, so that only this account's messages wait. */
const PATIENCE_MS = 100
/** Trackers that are remembered by their names; beyond that all are forgotten. */
const MAX_KNOWN = 50_000

/**
 * Collects the messages of a database into groups. Those that arrive while groups are processed form the next one. Messages of an account
 * are processed in the order of their arrival.
 */
export function createGroupCommit<Item extends Queued>(db: Pick<Db, 'read' | 'findWorkers' | 'isShared'>, steps: Steps<Item>) {
  const maxRunning = db.isShared ? MAX_RUNNING : 1
  let waiting: Item[] = []
  let running = 0
  let isPlanned = false
  let isForming = false
  const known = new Map<string, NumberedTracker>()
  /** The database server of each tracker's positions. */
  const workers = new Map<number, string | undefined>()
  /** Accounts of the groups that are being processed, with their messages that arrived since. */
  const busy = new Map<number, Item[]>()

  const canBegin = () => waiting.length > 0 && (running === 0 || (running < maxRunning && waiting.length >= MIN_SECOND))

  function plan() {
    if (isPlanned || isForming || !canBegin()) return
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      void formGroups()
    })
  }

  async function formGroups() {
    isForming = true
    while (canBegin()) {
      const items = await identify(waiting.splice(0, MAX_GROUP))
      const free = (await takeOneWorker(items)).filter((item) => {
        const held = busy.get(item.tracker!.accountId)
        held?.push(item)
        return !held
      })
      if (free.length === 0) continue
      running++
      void process(free, PATIENCE_MS).then(() => {
        running--
        if (!isForming) void formGroups()
      })
    }
    isForming = false
  }

  /**
   * Returns the messages whose positions are on the same database server as those of the first, because a transaction on one server costs
   * least; the others wait for the next group. All of them if there is one server.
   */
  async function takeOneWorker(items: Item[]) {
    if (!db.findWorkers || items.length === 0) return items
    const unknown = items.map(({ tracker }) => tracker!.id).filter((id) => !workers.has(id))
    try {
      if (unknown.length > 0) for (const [id, worker] of await db.findWorkers(unknown)) workers.set(id, worker)
    } catch (error) {
      for (const item of items) steps.fail(item, error)
      return []
    }
    const worker = workers.get(items[0]!.tracker!.id)
    waiting.unshift(...items.filter(({ tracker }) => workers.get(tracker!.id) !== worker))
    return items.filter(({ tracker }) => workers.get(tracker!.id) === worker)
  }

  /** Finds the trackers that the messages name. Refuses those that name none. */
  async function identify(items: Item[]) {
    for (const item of items) item.tracker = item.isSecondTry ? undefined : known.get(keyOf(item.name))
    const unknown = items.filter(({ tracker }) => !tracker)
    if (unknown.length === 0) return items
    try {
      const found = await findNumbers(
        db.read,
        unknown.map(({ name }) => name),
      )
      for (const item of unknown) remember(item, found)
    } catch (error) {
      for (const item of unknown) steps.fail(item, error)
    }
    return items.filter(({ tracker }) => tracker)
  }

  function remember(item: Item, found: readonly NumberedTracker[]) {
    item.tracker = found.find((tracker) => isNamed(tracker, item.name))
    if (!item.tracker) return steps.refuse(item)
    if (known.size >= MAX_KNOWN) {
      known.clear()
      workers.clear()
    }
    known.set(keyOf(item.name), item.tracker)
  }

  /** Processes a group; resolves once the next one may begin. */
  async function process(items: Item[], patienceMs?: number) {
    const accounts = new Set(items.map(({ tracker }) => tracker!.accountId))
    for (const account of accounts) if (!busy.has(account)) busy.set(account, [])
    try {
      const outdated = await steps.commit(items, patienceMs)
      tryAgain(outdated)
    } catch (error) {
      // The next group does not wait for these.
      if (patienceMs !== undefined && isLockTimeout(error)) return void splitByAccount(items)
      await retryAlone(items, error)
    }
    for (const account of accounts) release(account)
  }

  function splitByAccount(items: Item[]) {
    const accounts = new Set(items.map(({ tracker }) => tracker!.accountId))
    for (const account of accounts) void process(items.filter(({ tracker }) => tracker!.accountId === account)).then(plan)
  }

  /**
   * When a group fails, its messages are processed one by one, so that a bad one cannot fail others; not when the database is unavailable,
   * where each would wait as long again.
   */
  async function retryAlone(items: Item[], error: unknown) {
    if (items.length === 1 || classifyDbError(error) === 'unavailable') return items.forEach((item) => void steps.fail(item, error))
    for (const item of items)
      try {
        tryAgain(await steps.commit([item]))
      } catch (itsError) {
        steps.fail(item, itsError)
      }
  }

  /** A number can belong to another tracker since it was looked up. */
  function tryAgain(outdated: Item[]) {
    for (const item of outdated) {
      known.delete(keyOf(item.name))
      if (item.isSecondTry) steps.refuse(item)
      else {
        item.isSecondTry = true
        waiting.unshift(item)
      }
    }
  }

  function release(account: number) {
    waiting = [...(busy.get(account) ?? []), ...waiting]
    busy.delete(account)
  }

  return {
    add(item: Item) {
      waiting.push(item)
      plan()
    },
  }
}

const keyOf = ({ deviceId, identifier, serial }: TrackerName) => `${deviceId} ${identifier} ${serial}`
