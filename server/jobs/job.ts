import type { DbReader, Lock, LockFinder, Tx } from '#db/db.ts'
import type { ChangedDevice } from '#db/device-changes.ts'
import type { PositionStore } from '#db/positions.ts'
import type { LiveEvent } from '#server/ports/live.ts'
import type { World } from '#server/ports/world.ts'

/** Trackers whose list entry changed, and events to publish after the commit. */
export type Effect = { changed?: readonly ChangedDevice[]; events?: LiveEvent[] }

/** One thing that is due; `ref` names it, such as `devices/7`. */
export type Piece = {
  ref: string
  /** What `run` needs for itself: it looks again under the lock, because another process may have been faster. */
  lock: Lock | LockFinder
  /** Work that takes long, done before the transaction. */
  prepare?(world: JobWorld, now: Date): Promise<void>
  /** Applies the effect and the mark that it is done in one transaction; returns null when it is no longer due. */
  run(tx: Tx, now: Date, positions: PositionStore): Promise<Effect | null>
}

/** Work caused by the passing of time, not by a request (`docs/decisions/008-jobs.md`). */
export type Job = {
  name: string
  /** The earliest instant later than `after` at which something falls due, or null. */
  next(db: DbReader, after: Date): Promise<Date | null>
  /** What is due by then, oldest first. */
  due(db: DbReader, by: Date): Promise<Piece[]>
  /** Since when the oldest piece of `due` has been due, where `next` also finds instants whose work is done. */
  dueSince?(db: DbReader, by: Date): Promise<Date | null>
}

/** What jobs get from their world. */
export type JobWorld = Pick<World, 'db' | 'live' | 'log' | 'productName'> & { payments: Pick<World['payments'], 'isLive'> }

export type Fired = { at: Date; kind: string; ref: string }
