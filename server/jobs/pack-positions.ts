import { DAY_MS } from '#contracts/rules/time.ts'
import type { Db } from '#db/db.ts'
import { count } from '#server/lib/counts.ts'
import { runPeriodically } from '#server/lib/run-periodically.ts'
import type { World } from '#server/ports/world.ts'

/** Positions a day: about an hour of one connection. */
const MOST_A_RUN = 200_000_000

/**
 * Packs positions once a day: of the months that ended at least `days` days ago. A run that was interrupted or failed is continued by the next
 * one.
 */
export function runPacking({ db, log, clock }: Pick<World, 'db' | 'log' | 'clock'>, days: number) {
  let isStopping = false
  const runs = runPeriodically(async () => {
    const endedBy = new Date(clock.now().getTime() - days * DAY_MS)
    try {
      const packed = await db.packPositions!({ endedBy, most: MOST_A_RUN, goesOn: () => !isStopping })
      count(db, 'positions_packed_total', {}, packed)
      if (packed > 0) log.info({ packed }, 'positions were packed')
    } catch (error) {
      count(db, 'job_failures_total', { work: 'pack_positions' })
      log.error({ err: error }, 'packing positions failed')
    }
  }, DAY_MS)
  return {
    stop() {
      isStopping = true
      return runs.stop()
    },
  }
}

/** Positions between two lines of progress. */
const LINE_AFTER = 1_000_000

/** The operator's command `unpack`, for a downgrade to a release without packed positions. Servers may run, but must not pack. */
export async function unpackAll(db: Pick<Db, 'unpackPositions'>, print: (line: string) => void) {
  let next = LINE_AFTER
  await db.unpackPositions?.((unpacked, total) => {
    if (unpacked < next && unpacked < total) return
    print(`${unpacked} of ${total} positions unpacked`)
    next = unpacked + LINE_AFTER
  })
  print('Nothing is packed.')
}
