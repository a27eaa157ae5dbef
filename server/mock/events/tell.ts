import { wire } from '#contracts/rules/time.ts'
import type { Fired } from '#server/jobs/job.ts'
import { JOBS } from '#server/jobs/jobs.ts'
import type { VirtualClock } from '#server/mock/lib/virtual-clock.ts'
import type { Live } from '#server/ports/live.ts'
import type { Events } from './events.ts'

/** Wraps a clock so that every change of it is published. */
export const withClockEvents = (clock: VirtualClock, events: Events): VirtualClock => ({
  ...clock,
  set(change) {
    clock.set(change)
    const { now, mode, rate } = clock.state()
    events.tell('clock', { now: wire(now), mode, rate })
  },
})

export const publishAlerts = (live: Live, events: Events) =>
  live.listen(({ type, data }) => {
    if (type === 'alert') events.tell('alert', JSON.parse(data))
  })

/** Publishes the jobs among what fired. */
export function publishJobs(fired: readonly Fired[], events: Events) {
  for (const { at, kind, ref } of fired) if (JOBS.some(({ name }) => name === kind)) events.tell('job', { at: wire(at), name: kind, ref })
}
