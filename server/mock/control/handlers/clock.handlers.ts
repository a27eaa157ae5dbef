import { describeChoice } from '#contracts/mock/choices.ts'
import { type ClockEvent, type clock as contract, currentEventName, type jobs as jobsContract } from '#contracts/mock/clock.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Handlers } from '#server/http/serve.ts'
import { JOBS, runDue } from '#server/jobs/run-jobs.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import { presentClock } from '#server/mock/worlds/worlds.present.ts'
import { findDeviceId, findNextRenewal } from '#server/mock/worlds/worlds.store.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'

/** The next occurrence of an event. `ref` is the row that a tracker's message concerns; all others are reported once they have happened. */
type UpcomingEvent = { at: Date; ref?: string } | null

const messages: Partial<Record<ClockEvent, (world: MockWorld) => Promise<UpcomingEvent>>> = {
  position: (world) => findNextMessage(world),
  mode_applied: (world) => findNextMessage(world, ({ pendingMode }) => pendingMode !== null),
}

async function findNextEvent(world: MockWorld, event: string): Promise<UpcomingEvent> {
  const { db, clock, graceDays } = world
  const find = messages[event as ClockEvent]
  if (find) return find(world)
  const at =
    event === 'renewal'
      ? await findNextRenewal(db.read, clock.now())
      : await JOBS.find(({ name }) => name === event)?.next(db.read, clock.now(), graceDays)
  return at ? { at } : null
}

async function findNextMessage(
  { db, clock, simulator }: MockWorld,
  wanted?: Parameters<MockWorld['simulator']['findNextMessage']>[1],
): Promise<UpcomingEvent> {
  const first = await simulator.findNextMessage(clock.now(), wanted)
  return first && { at: first.at, ref: `devices/${await findDeviceId(db.read, first.identifier)}` }
}

const SECOND_MS = 1000
/** Everything due in between is executed, so a jump of centuries would not finish. */
const LIMITS = { leapDays: 400, rate: 10_000 }
const UNITS = { D: 86_400, H: 3600, M: 60, S: 1 } as const

export function clock(worlds: MockWorlds, { leapDays, rate } = LIMITS): Handlers<typeof contract> {
  const longest = leapDays * UNITS.D * SECOND_MS
  const tooFar = `At most ${leapDays} days at once`
  const set: Handlers<typeof contract>['set'] = async ({ body }, { id }) => {
    const world = worlds.get(id)!
    if (body.rate !== undefined && body.rate > rate) throw invalidField('rate', `At most ${rate}`)
    if (body.at && Date.parse(body.at) > world.clock.now().getTime() + longest) throw invalidField('at', tooFar)
    await world.play(() => ({ ...body, at: body.at ? new Date(body.at) : undefined }))
    return presentClock(world)
  }
  return {
    read: (_, { id }) => presentClock(worlds.get(id)!),
    set,
    put: set,
    async advance({ body }, { id }) {
      const span = parseDurationSeconds(body.by) * SECOND_MS
      if (span > longest) throw invalidField('by', tooFar)
      return advanceClock(worlds.get(id)!, (from) => new Date(from.getTime() + span))
    },
    async until({ body }, { id }) {
      const world = worlds.get(id)!
      const event = currentEventName(body.event)
      const coming = await findNextEvent(world, event)
      if (!coming || coming.at.getTime() > world.clock.now().getTime() + longest) throw invalidField('event', 'No such event is coming up')
      const leapt = await advanceClock(world, (from) => (coming.at > from ? coming.at : from))
      return coming.ref ? { ...leapt, fired: [...leapt.fired, { at: leapt.to, kind: event, ref: coming.ref }] } : leapt
    },
  }
}

async function advanceClock(world: MockWorld, goal: (from: Date) => Date) {
  let from = world.clock.now()
  let to = from
  const { positions, fired } = await world.play((now) => {
    from = now
    to = goal(from)
    return { at: to }
  })
  return { from: formatInstant(from), to: formatInstant(to), positions, fired: fired.map((one) => ({ ...one, at: formatInstant(one.at) })) }
}

/** Parses an ISO 8601 duration of days, hours, minutes and seconds. */
export const parseDurationSeconds = (duration: string) =>
  [...duration.matchAll(/(\d+)([DHMS])/g)].reduce((sum, [, n, unit]) => sum + Number(n) * UNITS[unit as keyof typeof UNITS], 0)

export const jobs: Handlers<typeof jobsContract> = {
  list: (_, { db, clock, graceDays }) =>
    Promise.all(
      JOBS.map(async (job) => {
        const next = await job.next(db.read, clock.now(), graceDays)
        return { name: job.name, due: (await job.due(db.read, clock.now(), graceDays)).length, next: next && formatInstant(next) }
      }),
    ),
  async run({ params }, world) {
    const job = JOBS.find(({ name }) => name === currentEventName(params.name))
    if (!job)
      throw new Failure('not_found', {
        errors: {
          name: [
            describeChoice(
              params.name,
              JOBS.map(({ name }) => name),
            ),
          ],
        },
      })
    const fired = await runDue(world, world.clock.now(), { jobs: [job] })
    return { fired: fired.map((one) => ({ ...one, at: formatInstant(one.at) })) }
  },
}
