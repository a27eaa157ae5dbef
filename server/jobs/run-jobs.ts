import { runPeriodically } from '#server/lib/keep-doing.ts'
import type { World } from '#server/ports/world.ts'
import { runDue } from './run-due.ts'

/** How late a job may run. */
const TICK_MS = 5000

/** Runs the due jobs by the world's clock until stopped; `stop` waits for the piece in progress. */
export function runJobs(world: Pick<World, 'db' | 'live' | 'log' | 'clock'>) {
  let isStopping = false
  const jobs = runPeriodically(() => runDue(world, world.clock.now(), { goesOn: () => !isStopping }), TICK_MS)
  return {
    stop() {
      isStopping = true
      return jobs.stop()
    },
  }
}
