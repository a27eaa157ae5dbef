import type { CLOCK_EVENTS } from '#contracts/mock/clock.ts'
import type { Job } from '#server/jobs/job.ts'
import { linkEnd } from '#server/jobs/link-end.ts'
import { subscriptionEnd } from '#server/jobs/subscription-end.ts'
import { deviceCalled, nextRenewal } from '#server/mock/worlds/clock.store.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'

/** The next occurrence of an event. `ref` is the row it concerns; jobs report theirs after they have run. */
type Coming = { at: Date; ref?: string } | null

export const EVENTS: Record<(typeof CLOCK_EVENTS)[number], (world: MockWorld) => Promise<Coming>> = {
  renewal: ({ db, clock }) => nextRenewal(db.read, clock.now()),
  position: (world) => spoken(world),
  mode_applied: (world) => spoken(world, ({ pendingMode }) => pendingMode !== null),
  link_expiry: (world) => next(world, linkEnd),
  sub_end: (world) => next(world, subscriptionEnd),
}

async function next({ db, clock }: MockWorld, job: Job): Promise<Coming> {
  const at = await job.next(db.read, clock.now())
  return at && { at }
}

async function spoken({ db, clock, simulator }: MockWorld, wanted?: Parameters<MockWorld['simulator']['next']>[1]): Promise<Coming> {
  const first = await simulator.next(clock.now(), wanted)
  return first && { at: first.at, ref: `devices/${await deviceCalled(db.read, first.identifier)}` }
}
