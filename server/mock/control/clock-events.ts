import type { CLOCK_EVENTS } from '#contracts/mock/clock.ts'
import { subscriptionEnd } from '#server/jobs/device-jobs.ts'
import type { Job } from '#server/jobs/job.ts'
import { linkEnd } from '#server/jobs/link-end.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import { findDeviceId, findNextRenewal } from '#server/mock/worlds/worlds.store.ts'

/** The next occurrence of an event. `ref` is the row it concerns; jobs report theirs after they have run. */
type UpcomingEvent = { at: Date; ref?: string } | null

export const findNextEvent: Record<(typeof CLOCK_EVENTS)[number], (world: MockWorld) => Promise<UpcomingEvent>> = {
  renewal: ({ db, clock }) => findNextRenewal(db.read, clock.now()),
  position: (world) => findNextMessage(world),
  mode_applied: (world) => findNextMessage(world, ({ pendingMode }) => pendingMode !== null),
  link_expiry: (world) => findNextJobRun(world, linkEnd),
  sub_end: (world) => findNextJobRun(world, subscriptionEnd),
}

async function findNextJobRun({ db, clock }: MockWorld, job: Job): Promise<UpcomingEvent> {
  const at = await job.next(db.read, clock.now())
  return at && { at }
}

async function findNextMessage(
  { db, clock, simulator }: MockWorld,
  wanted?: Parameters<MockWorld['simulator']['next']>[1],
): Promise<UpcomingEvent> {
  const first = await simulator.next(clock.now(), wanted)
  return first && { at: first.at, ref: `devices/${await findDeviceId(db.read, first.identifier)}` }
}
