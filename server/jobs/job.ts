import type { Changed } from '#db/device-changes.ts'
import type { Reader, Tx } from '#db/sqlite/open.ts'
import type { LiveEvent } from '#server/ports/live.ts'

/** What a piece of work did: trackers that read differently now, and events to publish once the transaction is kept. */
export type Effect = { changed?: Changed; events?: LiveEvent[] }

/** One thing that is due; `ref` names it, such as `devices/7`. */
export type Piece = {
  ref: string
  /** Does it within a transaction, with the mark that it is done. Answers null when meanwhile it is not due any more. */
  run(tx: Tx, now: Date): Promise<Effect | null>
}

/** Work that the world's time brings about, whether or not anybody asks (`docs/decisions/008-jobs.md`). */
export type Job = {
  name: string
  /** The earliest instant later than `after` at which a piece of it falls due; null when none is in sight. */
  next(db: Reader, after: Date): Promise<Date | null>
  /** What is due by then, oldest first. */
  due(db: Reader, by: Date): Promise<Piece[]>
}

/** What a job did, and when. */
export type Fired = { at: Date; kind: string; ref: string }
