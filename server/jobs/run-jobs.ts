import { keepDoing } from '#server/lib/keep-doing.ts'
import type { World } from '#server/ports/world.ts'
import { runDue } from './run-due.ts'

/** How late a job may come. */
const TICK_MS = 5000

/** Does what falls due by the world's clock until stopped, one run at a time; `stop` lets the piece under way finish. */
export function runJobs(world: Pick<World, 'db' | 'live' | 'log' | 'clock'>) {
  let isStopping = false
  const jobs = keepDoing(() => runDue(world, world.clock.now(), { goesOn: () => !isStopping }), TICK_MS)
  return {
    stop() {
      isStopping = true
      return jobs.stop()
    },
  }
}
