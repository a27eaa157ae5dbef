import type { sim as contract } from '#contracts/mock/sim.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { writeDevices } from '#db/device-changes.ts'
import { fromFixed7 } from '#db/positions.ts'
import { switchLearning } from '#db/usual-areas.ts'
import type { Handlers } from '#server/http/serve.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import type { City } from '#server/mock/city/index.ts'
import { createRandom } from '#server/mock/lib/random.ts'
import { resolveRoute } from '#server/mock/simulator/route-request.ts'
import { findTracker, listTrackers, type SimTracker } from '#server/mock/simulator/simulator.store.ts'
import { addNoise, countFixes, MAX_FIXES, planDrive } from '#server/mock/simulator/steering.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import type { World } from '#server/ports/world.ts'
import { removeState } from '#server/tracking/history/positions.store.ts'
import { ingest } from '#server/tracking/ingest/ingest.ts'
import { learnNormals } from '#server/tracking/normal/learn-normal.ts'
import { readNormal } from '#server/tracking/normal/normal.handlers.ts'
import { parseDurationSeconds } from './clock.handlers.ts'
import { EVERYBODY } from './scenarios.handlers.ts'

const MPS_PER_KMH = 1 / 3.6
const MAX_SILENCE_SECONDS = 400 * 86_400

export const sim = (worlds: MockWorlds, city: City): Handlers<typeof contract> => ({
  read: (_, { id }) => presentState(worlds.get(id)!),
  async set({ body }, { id }) {
    const world = worlds.get(id)!
    await world.play()
    world.simulator.steering.isRunning = body.is_running
    return presentState(world)
  },
  async drive({ params, body }, { id }) {
    const world = worlds.get(id)!
    const { identifier, tracker } = await getSpeaker(world, params.id)
    const { clock, simulator } = world
    const pace = { metresPerSecond: body.speed_kmh * MPS_PER_KMH, every: body.every_seconds }
    const way = resolveRoute(city, lastPoint(tracker), body)
    const count = countFixes(way, pace)
    if (count > MAX_FIXES) throw invalidField(body.route ? 'route' : body.points ? 'points' : 'gpx', tooManyPositions(count))
    await world.play()
    const plan = planDrive(way, { begin: simulator.secondOf(clock.now()) + 1, ...pace })
    const drive = { ...plan, fixes: addNoise(plan.fixes, body, createRandom(params.id * 31 + plan.begin)) }
    simulator.steering.drives.set(identifier, drive)
    return { metres: drive.metres, positions: drive.fixes.length, ends_at: formatInstant(simulator.dateOf(drive.end)) }
  },
  async position({ params, body: { battery, is_judged, ...fix } }, world) {
    const { identifier } = await getSpeaker(world, params.id)
    if (!is_judged) await writeDevices(world.db, 'everything', (tx) => removeState(tx, params.id))
    const datetime = formatInstant(world.clock.now())
    return ingest(world, { identifier, ...(battery !== undefined && { battery }), positions: [{ ...fix, datetime }] })
  },
  async event({ params, body: { type, battery } }, world) {
    const { identifier, tracker } = await getSpeaker(world, params.id)
    const point = lastPoint(tracker)
    if (!point) throw invalidField('type', 'A tracker without a position must report one first')
    const fix = { ...point, precision: 5, datetime: formatInstant(world.clock.now()), event: type }
    return ingest(world, { identifier, ...(battery !== undefined && { battery }), positions: [fix] })
  },
  async communicate({ params }, world) {
    return ingest(world, { identifier: (await getSpeaker(world, params.id)).identifier, positions: [] })
  },
  async silence({ params, body }, { id }) {
    const world = worlds.get(id)!
    const { identifier } = await getSpeaker(world, params.id)
    const span = body.for === undefined ? Number.POSITIVE_INFINITY : parseDurationSeconds(body.for)
    if (body.for !== undefined && span > MAX_SILENCE_SECONDS)
      throw invalidField('for', 'At most 400 days; without it the silence has no end')
    const { clock, simulator } = world
    await world.play()
    simulator.steering.silences.set(identifier, simulator.secondOf(clock.now()) + span)
    return presentState(world)
  },
  async learn({ params: { id } }, world) {
    await getSpeaker(world, id)
    const now = world.clock.now()
    await writeDevices(world.db, 'everything', async (tx) => {
      // What was learnt before is deleted, so that it is due again.
      await switchLearning(tx, id, false, now)
      await switchLearning(tx, id, true, now)
    })
    await runDue(world, now, { jobs: [learnNormals] })
    return readNormal({ ...world, viewer: EVERYBODY, session: '' }, id)
  },
})

const tooManyPositions = (count: number) =>
  `At most ${MAX_FIXES} positions, and these are ${count}: shorten the way, or raise speed_kmh or every_seconds`

async function getSpeaker({ db }: Pick<World, 'db'>, id: number) {
  const tracker = await findTracker(db.read, id)
  if (!tracker?.identifier) throw new Failure('not_found')
  return { identifier: tracker.identifier, tracker }
}

const lastPoint = ({ lat, lng }: SimTracker) => (lat === null || lng === null ? null : { lat: fromFixed7(lat), lng: fromFixed7(lng) })

/** Stands for an endless silence. */
const FOREVER = '9999-12-31T23:59:59Z'

async function presentState({ db, clock, simulator }: MockWorld) {
  const { steering, secondOf, dateOf } = simulator
  const now = secondOf(clock.now())
  const ahead = (second: number | undefined) =>
    second === undefined || second <= now ? null : Number.isFinite(second) ? formatInstant(dateOf(second)) : FOREVER
  const trackers = (await listTrackers(db.read)).map(({ id, identifier, name }) => ({
    ...{ id, name, identifier: identifier ?? '' },
    silent_until: ahead(steering.silences.get(identifier ?? '')),
    drive_ends_at: ahead(steering.drives.get(identifier ?? '')?.end),
  }))
  return { is_running: steering.isRunning, trackers }
}
