import type { DbReader, Lock, LockFinder, Tx } from '#db/db.ts'
import type { PositionStore } from '#db/positions.ts'
import type { World } from '#server/ports/world.ts'

/** One due item; `ref` names it, such as `devices/7`. */
export type Piece = {
  ref: string
  /** The locks of `run`, which checks again under the lock, because another process may have been faster. */
  lock: Lock | LockFinder
  /** Slow work that precedes the transaction. */
  prepare?(world: JobWorld, now: Date): Promise<void>
  /** Applies the effect and marks it as done in one transaction; returns false when it is no longer due. */
  run(tx: Tx, now: Date, positions: PositionStore, graceDays: number | null): Promise<boolean>
}

/** Work caused by the passing of time, not by a request (`docs/decisions/008-jobs.md`). `graceDays` are those of the world. */
export type Job = {
  name: string
  /** The earliest instant later than `after` at which something falls due, or null. */
  next(db: DbReader, after: Date, graceDays: number | null): Promise<Date | null>
  /** The items due by then, oldest first. */
  due(db: DbReader, by: Date, graceDays: number | null): Promise<Piece[]>
  /** Since when the oldest item of `due` has been due, if `next` also finds instants whose work is done. */
  dueSince?(db: DbReader, by: Date, graceDays: number | null): Promise<Date | null>
}

/** The parts of a world that jobs use. */
export type JobWorld = Pick<World, 'db' | 'log' | 'productName' | 'graceDays'> & { payments: Pick<World['payments'], 'isLive'> }

export type Fired = { at: Date; kind: string; ref: string }
